module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.reduce_precision %arg0, format = e8m10 : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}
