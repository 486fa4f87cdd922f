module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %c = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
    %0 = stablehlo.slice %arg0 [0:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %1:2 = "stablehlo.scatter"(%arg0, %arg1, %c, %0, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg4 : tensor<f32>
      stablehlo.return %2, %arg5 : tensor<f32>, tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>, tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    return %1#0, %1#1 : tensor<4x6xf32>, tensor<4x6xf32>
  }
}
