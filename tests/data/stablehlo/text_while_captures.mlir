module {
  func.func @main(%arg0: tensor<i32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.add %arg1, %arg1 : tensor<6xf32>
    %1:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg1) : tensor<i32>, tensor<6xf32>
    cond {
      %2 = stablehlo.compare LT, %iterArg, %arg0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %0 : tensor<6xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<6xf32>
    }
    return %1#1 : tensor<6xf32>
  }
}
