module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) -> tensor<4xf32> {
    %0 = stablehlo.dot %arg0, %arg1, precision = [HIGH, HIGHEST] : (tensor<4x6xf32>, tensor<6xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
