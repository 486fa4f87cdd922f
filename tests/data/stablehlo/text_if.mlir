module {
  func.func @main(%arg0: tensor<i1>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
    %0:2 = "stablehlo.if"(%arg0) ({
      %1 = stablehlo.add %arg1, %arg1 : tensor<6xf32>
      stablehlo.return %1, %arg1 : tensor<6xf32>, tensor<6xf32>
    }, {
      stablehlo.return %arg1, %arg2 : tensor<6xf32>, tensor<6xf32>
    }) : (tensor<i1>) -> (tensor<6xf32>, tensor<6xf32>)
    return %0#0, %0#1 : tensor<6xf32>, tensor<6xf32>
  }
}
