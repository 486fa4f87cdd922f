"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[[3], [1]]> : tensor<2x1xi32>}> : () -> tensor<2x1xi32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 2, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %2:2 = "stablehlo.scatter"(%arg0, %arg1, %0, %1, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>, %arg4: tensor<f32>, %arg5: tensor<f32>):
      %3 = "stablehlo.add"(%arg2, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3, %arg5) : (tensor<f32>, tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>, tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    "func.return"(%2#0, %2#1) : (tensor<4x6xf32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
