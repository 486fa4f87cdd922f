"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<24xf32>) -> tensor<24xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<24xf32>):
    %0 = "stablehlo.convert"(%arg0) : (tensor<24xf32>) -> tensor<24xi4>
    %1 = "stablehlo.convert"(%0) : (tensor<24xi4>) -> tensor<24xf32>
    "func.return"(%1) : (tensor<24xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
