module {
  func.func @main(%arg0: tensor<6xf32>) -> tensor<2x3x6xf32> {
    %0 = stablehlo.broadcast %arg0, sizes = [2, 3] : (tensor<6xf32>) -> tensor<2x3x6xf32>
    return %0 : tensor<2x3x6xf32>
  }
}
