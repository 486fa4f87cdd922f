"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xi8>, tensor<6x3xi8>) -> (tensor<4x3xi32>, tensor<4x3xi32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x6xi8>, %arg1: tensor<6x3xi8>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xi8>, tensor<6x3xi8>) -> tensor<4x3xi32>
    %1 = "stablehlo.convert"(%arg0) : (tensor<4x6xi8>) -> tensor<4x6xi32>
    %2 = "stablehlo.convert"(%arg1) : (tensor<6x3xi8>) -> tensor<6x3xi32>
    %3 = "stablehlo.dot_general"(%1, %2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x6xi32>, tensor<6x3xi32>) -> tensor<4x3xi32>
    "func.return"(%0, %3) : (tensor<4x3xi32>, tensor<4x3xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
