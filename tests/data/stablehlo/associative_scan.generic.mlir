"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x6xf32>) -> tensor<4x6xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x6xf32>):
    %0 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 3, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 2, 1>}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %1 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 1, 0>, strides = array<i64: 2, 1>}> : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %2 = "stablehlo.add"(%0, %1) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %3 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 2, 1>}> : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %4 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 2, 6>, start_indices = array<i64: 1, 0>, strides = array<i64: 2, 1>}> : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xf32>
    %6 = "stablehlo.slice"(%5) <{limit_indices = array<i64: 0, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<1x6xf32>) -> tensor<0x6xf32>
    %7 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 2, 6>, start_indices = array<i64: 2, 0>, strides = array<i64: 2, 1>}> : (tensor<2x6xf32>) -> tensor<0x6xf32>
    %8 = "stablehlo.add"(%6, %7) : (tensor<0x6xf32>, tensor<0x6xf32>) -> tensor<0x6xf32>
    %9 = "stablehlo.slice"(%2) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %10 = "stablehlo.concatenate"(%9, %8) <{dimension = 0 : i64}> : (tensor<1x6xf32>, tensor<0x6xf32>) -> tensor<1x6xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.pad"(%10, %11) <{edge_padding_high = array<i64: 1, 0>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 1, 0>}> : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %13 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.pad"(%5, %13) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 1, 0>}> : (tensor<1x6xf32>, tensor<f32>) -> tensor<2x6xf32>
    %15 = "stablehlo.add"(%12, %14) : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
    %16 = "stablehlo.slice"(%15) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<2x6xf32>) -> tensor<1x6xf32>
    %17 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 2, 0>, strides = array<i64: 2, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %18 = "stablehlo.add"(%16, %17) : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x6xf32>
    %19 = "stablehlo.slice"(%arg0) <{limit_indices = array<i64: 1, 6>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %20 = "stablehlo.concatenate"(%19, %18) <{dimension = 0 : i64}> : (tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<2x6xf32>
    %21 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.pad"(%20, %21) <{edge_padding_high = array<i64: 1, 0>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 1, 0>}> : (tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.pad"(%15, %23) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 1, 0>}> : (tensor<2x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %25 = "stablehlo.add"(%22, %24) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
    "func.return"(%25) : (tensor<4x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
