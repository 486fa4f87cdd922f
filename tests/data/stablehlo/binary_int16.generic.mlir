"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x7xi16>, tensor<3x7xi16>) -> (tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}, {jax.result_info = "result[16]"}, {jax.result_info = "result[17]"}, {jax.result_info = "result[18]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x7xi16>, %arg1: tensor<3x7xi16>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %1 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %2 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %3 = "stablehlo.divide"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %4 = "stablehlo.remainder"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %5 = "stablehlo.maximum"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %6 = "stablehlo.minimum"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %7 = "stablehlo.and"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %8 = "stablehlo.or"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %9 = "stablehlo.xor"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %10 = "stablehlo.shift_left"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %11 = "stablehlo.shift_right_arithmetic"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %12 = "stablehlo.shift_right_logical"(%arg0, %arg1) : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi16>
    %13 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    %14 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    %15 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    %16 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    %17 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    %18 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<3x7xi16>, tensor<3x7xi16>) -> tensor<3x7xi1>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18) : (tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi16>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>, tensor<3x7xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
