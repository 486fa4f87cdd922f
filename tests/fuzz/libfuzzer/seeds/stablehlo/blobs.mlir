module @m {
  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<4xi4>, tensor<9xi1>, tensor<4xf32>) {
    %0 = stablehlo.constant dense<"0x0000803F000000C0"> : tensor<2xf32>
    %1 = stablehlo.constant dense<"0x0F0203F1"> : tensor<4xi4>
    %2 = stablehlo.constant dense<"0xA501"> : tensor<9xi1>
    %3 = stablehlo.constant dense<"0x0000803F"> : tensor<4xf32>
    %4 = stablehlo.constant dense<[(1.0, 2.0), (0x7FC00000, -3.5e-1)]> : tensor<2xcomplex<f32>>
    %5 = stablehlo.constant dense<(1.0, 2.0)> : tensor<3xcomplex<f64>>
    %6 = stablehlo.constant dense<[[true, false], [false, true]]> : tensor<2x2xi1>
    %7 = stablehlo.constant dense<> : tensor<0x3xf32>
    %8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.constant dense<[-1, 0x7F, 3]> : tensor<3xi8>
    %10 = stablehlo.add %arg0, %0 : tensor<2xf32>
    return %10, %1, %2, %3 : tensor<2xf32>, tensor<4xi4>, tensor<9xi1>, tensor<4xf32>
  }
}
