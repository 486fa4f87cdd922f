module {
  func.func @main(%arg0: tensor<4x6xf32>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %cst : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %3 = stablehlo.subtract %2, %cst : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }
    return %1 : tensor<4xf32>
  }
}
