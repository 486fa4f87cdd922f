"builtin.module"() <{sym_name = "jit_zeta"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<30xf32>, tensor<30xf32>) -> tensor<30xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<30xf32>, %arg1: tensor<30xf32>):
    %0 = "chlo.zeta"(%arg0, %arg1) : (tensor<30xf32>, tensor<30xf32>) -> tensor<30xf32>
    "func.return"(%0) : (tensor<30xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
