"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<6x5xf32>) -> (tensor<4x6xf32>, tensor<6x5xf32>, tensor<4x6xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>):
    %0:2 = "stablehlo.optimization_barrier"(%arg0, %arg1) : (tensor<4x6xf32>, tensor<6x5xf32>) -> (tensor<4x6xf32>, tensor<6x5xf32>)
    %1 = "stablehlo.optimization_barrier"(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%0#0, %0#1, %1) : (tensor<4x6xf32>, tensor<6x5xf32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
