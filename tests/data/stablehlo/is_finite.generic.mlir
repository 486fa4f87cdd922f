"builtin.module"() <{sym_name = "jit_is_finite"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<40xf32>) -> tensor<40xi1>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<40xf32>):
    %0 = "stablehlo.is_finite"(%arg0) : (tensor<40xf32>) -> tensor<40xi1>
    "func.return"(%0) : (tensor<40xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
