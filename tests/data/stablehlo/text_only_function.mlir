module {
  func.func public @main(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = call @double(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @double(%arg0: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}
