module {
  func.func @main(%arg0: tensor<2x6x3xf32>, %arg1: tensor<4x2x3xf32>) -> tensor<2x4x6xf32> {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, f]x[o, 0, i]->[b, f, 0], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [2], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x3xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>
    return %0 : tensor<2x4x6xf32>
  }
}
