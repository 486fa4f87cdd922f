"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<11xf64>) -> (tensor<11xi1>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<11xui8>, tensor<11xui16>, tensor<11xui32>, tensor<11xui64>, tensor<11xf16>, tensor<11xbf16>, tensor<11xf32>, tensor<11xf64>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<11xf64>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f64>) -> tensor<11xf64>
    %2 = "stablehlo.compare"(%arg0, %1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<11xf64>, tensor<11xf64>) -> tensor<11xi1>
    %3 = "stablehlo.convert"(%2) : (tensor<11xi1>) -> tensor<11xi1>
    %4 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xi8>
    %5 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xi16>
    %6 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xi32>
    %7 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xi64>
    %8 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xui8>
    %9 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xui16>
    %10 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xui32>
    %11 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xui64>
    %12 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xf16>
    %13 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xbf16>
    %14 = "stablehlo.convert"(%arg0) : (tensor<11xf64>) -> tensor<11xf32>
    "func.return"(%3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %arg0) : (tensor<11xi1>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<11xui8>, tensor<11xui16>, tensor<11xui32>, tensor<11xui64>, tensor<11xf16>, tensor<11xbf16>, tensor<11xf32>, tensor<11xf64>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
