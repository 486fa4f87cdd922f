module @composites {
  func.func public @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.composite "my.gelu" %arg0 {composite_attributes = {approximate = "tanh"}, decomposition = @gelu, version = 2 : i32} : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @gelu(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.logistic %arg0 : tensor<6xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}
