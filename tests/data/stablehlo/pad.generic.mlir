"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x6xf32>) -> (tensor<7x9xf32>, tensor<10x4xf32>, tensor<6x8xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg6: tensor<4x6xf32>):
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "func.call"(%arg6, %20) <{callee = @_pad}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<7x9xf32>
    %22 = "stablehlo.constant"() <{value = dense<7.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.pad"(%arg6, %22) <{edge_padding_high = array<i64: -1, 0>, edge_padding_low = array<i64: 1, -2>, interior_padding = array<i64: 2, 0>}> : (tensor<4x6xf32>, tensor<f32>) -> tensor<10x4xf32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "func.call"(%arg6, %24) <{callee = @_pad_0}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<6x8xf32>
    "func.return"(%21, %23, %25) : (tensor<7x9xf32>, tensor<10x4xf32>, tensor<6x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<i32>) -> tensor<7x9xf32>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x6xf32>, %arg5: tensor<i32>):
    %18 = "stablehlo.convert"(%arg5) : (tensor<i32>) -> tensor<f32>
    %19 = "stablehlo.pad"(%arg4, %18) <{edge_padding_high = array<i64: 2, 3>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x9xf32>
    "func.return"(%19) : (tensor<7x9xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x6xf32>, tensor<i32>) -> tensor<6x8xf32>, res_attrs = [{}], sym_name = "_pad_0", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<4x6xf32>, %arg3: tensor<i32>):
    %2 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %3 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 2, 6>, start_indices = array<i64: 1, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %4 = "func.call"(%3) <{callee = @_flip}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %5 = "stablehlo.concatenate"(%4, %arg2) <{dimension = 0 : i64}> : (tensor<1x6xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %6 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 5, 6>, start_indices = array<i64: 4, 0>, strides = array<i64: 1, 1>}> : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %7 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 3, 0>, strides = array<i64: 1, 1>}> : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %8 = "func.call"(%7) <{callee = @_flip}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %9 = "stablehlo.concatenate"(%5, %8) <{dimension = 0 : i64}> : (tensor<5x6xf32>, tensor<1x6xf32>) -> tensor<6x6xf32>
    %10 = "stablehlo.slice"(%9) <{limit_indices = array<i64: 6, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %11 = "stablehlo.slice"(%9) <{limit_indices = array<i64: 6, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %12 = "func.call"(%11) <{callee = @_flip_1}> : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %13 = "stablehlo.concatenate"(%12, %9) <{dimension = 1 : i64}> : (tensor<6x1xf32>, tensor<6x6xf32>) -> tensor<6x7xf32>
    %14 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 6, 7>, start_indices = array<i64: 0, 6>, strides = array<i64: 1, 1>}> : (tensor<6x7xf32>) -> tensor<6x1xf32>
    %15 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 6, 6>, start_indices = array<i64: 0, 5>, strides = array<i64: 1, 1>}> : (tensor<6x7xf32>) -> tensor<6x1xf32>
    %16 = "func.call"(%15) <{callee = @_flip_1}> : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %17 = "stablehlo.concatenate"(%13, %16) <{dimension = 1 : i64}> : (tensor<6x7xf32>, tensor<6x1xf32>) -> tensor<6x8xf32>
    "func.return"(%17) : (tensor<6x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<1x6xf32>) -> tensor<1x6xf32>, res_attrs = [{}], sym_name = "_flip", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<1x6xf32>):
    %1 = "stablehlo.reverse"(%arg1) <{dimensions = array<i64: 0>}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
    "func.return"(%1) : (tensor<1x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6x1xf32>) -> tensor<6x1xf32>, res_attrs = [{}], sym_name = "_flip_1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6x1xf32>):
    %0 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 1>}> : (tensor<6x1xf32>) -> tensor<6x1xf32>
    "func.return"(%0) : (tensor<6x1xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
