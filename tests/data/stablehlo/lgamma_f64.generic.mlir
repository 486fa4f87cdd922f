"builtin.module"() <{sym_name = "jit_lgamma"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<40xf64>) -> tensor<40xf64>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<40xf64>):
    %0 = "chlo.lgamma"(%arg0) : (tensor<40xf64>) -> tensor<40xf64>
    "func.return"(%0) : (tensor<40xf64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
