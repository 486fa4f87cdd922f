"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<24xf32>, tensor<5xf32>) -> tensor<24xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<24xf32>, %arg6: tensor<5xf32>):
    %7 = "func.call"(%arg5, %arg6) <{callee = @convolve}> : (tensor<24xf32>, tensor<5xf32>) -> tensor<24xf32>
    "func.return"(%7) : (tensor<24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<24xf32>, tensor<5xf32>) -> tensor<24xf32>, res_attrs = [{}], sym_name = "convolve", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<24xf32>, %arg4: tensor<5xf32>):
    %6 = "func.call"(%arg3, %arg4) <{callee = @_conv}> : (tensor<24xf32>, tensor<5xf32>) -> tensor<24xf32>
    "func.return"(%6) : (tensor<24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<24xf32>, tensor<5xf32>) -> tensor<24xf32>, res_attrs = [{}], sym_name = "_conv", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<24xf32>, %arg2: tensor<5xf32>):
    %1 = "func.call"(%arg2) <{callee = @_flip}> : (tensor<5xf32>) -> tensor<5xf32>
    %2 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 2>}> : (tensor<24xf32>) -> tensor<1x1x24xf32>
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 2>}> : (tensor<5xf32>) -> tensor<1x1x5xf32>
    %4 = "stablehlo.convolution"(%2, %3) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>, padding = dense<2> : tensor<1x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1>, window_reversal = array<i1: false>, window_strides = array<i64: 1>}> : (tensor<1x1x24xf32>, tensor<1x1x5xf32>) -> tensor<1x1x24xf32>
    %5 = "stablehlo.reshape"(%4) : (tensor<1x1x24xf32>) -> tensor<24xf32>
    "func.return"(%5) : (tensor<24xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5xf32>) -> tensor<5xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5xf32>):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<5xf32>) -> tensor<5xf32>
    "func.return"(%0) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
