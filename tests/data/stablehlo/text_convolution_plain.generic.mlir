"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x2x5xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x4x4x2xf32>, %arg1: tensor<3x3x2x5xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x2x5xf32>
    "func.return"(%0) : (tensor<1x2x2x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
