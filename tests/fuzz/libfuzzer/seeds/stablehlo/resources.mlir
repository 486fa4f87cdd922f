module @m {
  func.func public @main() -> (tensor<2xf32>, tensor<4xf32>, tensor<3xi32>) {
    %0 = stablehlo.constant dense_resource<w> : tensor<2xf32>
    %1 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
    %2 = stablehlo.constant dense<__elided__> : tensor<3xi32>
    %3 = stablehlo.constant dense_resource<"a b"> : tensor<2xf32>
    return %0, %1, %2 : tensor<2xf32>, tensor<4xf32>, tensor<3xi32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      w: "0x040000000000803F000000C0",
      "a b": "0x040000000000803F000000C0"
    }
  },
  external_resources: { mlir_reproducer: { verify_each: true } }
#-}
