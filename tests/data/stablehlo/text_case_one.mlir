module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.case"(%arg0) ({
      %1 = stablehlo.negate %arg1 : tensor<6xf32>
      stablehlo.return %1 : tensor<6xf32>
    }) : (tensor<i32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}
