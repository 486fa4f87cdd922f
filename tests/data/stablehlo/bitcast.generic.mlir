"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6xf32>) -> (tensor<6xi32>, tensor<6x4xui8>, tensor<6xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.bitcast_convert"(%arg0) : (tensor<6xf32>) -> tensor<6xi32>
    %1 = "stablehlo.bitcast_convert"(%arg0) : (tensor<6xf32>) -> tensor<6x4xui8>
    %2 = "stablehlo.bitcast_convert"(%arg0) : (tensor<6xf32>) -> tensor<6x2xi16>
    %3 = "stablehlo.bitcast_convert"(%2) : (tensor<6x2xi16>) -> tensor<6xf32>
    "func.return"(%0, %1, %3) : (tensor<6xi32>, tensor<6x4xui8>, tensor<6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
