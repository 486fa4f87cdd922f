"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xi1>, %arg1: tensor<9xi1>):
    %0 = "stablehlo.and"(%arg0, %arg1) : (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>
    %1 = "stablehlo.not"(%arg1) : (tensor<9xi1>) -> tensor<9xi1>
    %2 = "stablehlo.or"(%0, %1) : (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>
    %3 = "stablehlo.xor"(%2, %arg0) : (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>
    "func.return"(%3) : (tensor<9xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
