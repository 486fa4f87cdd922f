"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [], function_type = () -> (tensor<5xf32>, tensor<4xf4E2M1FN>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
    %0 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00, 1.500000e+00]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %1 = "stablehlo.constant"() <{value = dense<[0.000000e+00, 1.000000e+00, 3.000000e+00, 2.000000e+00]> : tensor<4xf4E2M1FN>}> : () -> tensor<4xf4E2M1FN>
    %2 = "stablehlo.convert"(%0) : (tensor<5xf32>) -> tensor<5xf4E2M1FN>
    %3 = "stablehlo.convert"(%2) : (tensor<5xf4E2M1FN>) -> tensor<5xf32>
    "func.return"(%3, %1) : (tensor<5xf32>, tensor<4xf4E2M1FN>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
