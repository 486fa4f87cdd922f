"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x6x3xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x6x3xf32>, %arg1: tensor<4x2x3xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[o, 0, i]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>, rhs_dilation = array<i64: 2>, window_reversal = array<i1: true>, window_strides = array<i64: 2>}> : (tensor<2x6x3xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>
    "func.return"(%0) : (tensor<2x4x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
