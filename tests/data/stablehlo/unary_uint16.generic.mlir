"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<17xui16>) -> (tensor<17xui16>, tensor<17xui16>, tensor<17xui16>, tensor<17xui16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<17xui16>):
    %0 = "stablehlo.popcnt"(%arg0) : (tensor<17xui16>) -> tensor<17xui16>
    %1 = "stablehlo.count_leading_zeros"(%arg0) : (tensor<17xui16>) -> tensor<17xui16>
    %2 = "stablehlo.not"(%arg0) : (tensor<17xui16>) -> tensor<17xui16>
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<ui16>}> : () -> tensor<ui16>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<ui16>) -> tensor<17xui16>
    %5 = "stablehlo.compare"(%arg0, %4) <{compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<17xui16>, tensor<17xui16>) -> tensor<17xi1>
    %6 = "stablehlo.constant"() <{value = dense<0> : tensor<ui16>}> : () -> tensor<ui16>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<ui16>) -> tensor<17xui16>
    %8 = "stablehlo.constant"() <{value = dense<1> : tensor<ui16>}> : () -> tensor<ui16>
    %9 = "stablehlo.broadcast_in_dim"(%8) <{broadcast_dimensions = array<i64>}> : (tensor<ui16>) -> tensor<17xui16>
    %10 = "stablehlo.select"(%5, %7, %9) : (tensor<17xi1>, tensor<17xui16>, tensor<17xui16>) -> tensor<17xui16>
    "func.return"(%0, %1, %2, %10) : (tensor<17xui16>, tensor<17xui16>, tensor<17xui16>, tensor<17xui16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
