module {
  func.func @main(%arg0: tensor<6xf32>, %arg1: tensor<6xcomplex<f32>>) -> (tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xf32>, tensor<6xcomplex<f32>>) {
    %0 = chlo.is_inf %arg0 : tensor<6xf32> -> tensor<6xi1>
    %1 = chlo.is_pos_inf %arg0 : tensor<6xf32> -> tensor<6xi1>
    %2 = chlo.is_neg_inf %arg0 : tensor<6xf32> -> tensor<6xi1>
    %3 = chlo.tan %arg0 : tensor<6xf32> -> tensor<6xf32>
    %4 = chlo.conj %arg1 : tensor<6xcomplex<f32>> -> tensor<6xcomplex<f32>>
    return %0, %1, %2, %3, %4 : tensor<6xi1>, tensor<6xi1>, tensor<6xi1>, tensor<6xf32>, tensor<6xcomplex<f32>>
  }
}
