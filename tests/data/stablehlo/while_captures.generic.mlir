"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x5xf32>, tensor<6x5xf32>) -> tensor<1x5xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x5xf32>, %arg1: tensor<6x5xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1:4 = "stablehlo.while"(%arg1, %arg1, %arg0, %0) ({
    ^bb0(%arg6: tensor<6x5xf32>, %arg7: tensor<6x5xf32>, %arg8: tensor<1x5xf32>, %arg9: tensor<i32>):
      %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %7 = "stablehlo.reduce"(%arg8, %6) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg12: tensor<f32>, %arg13: tensor<f32>):
        %12 = "stablehlo.add"(%arg12, %arg13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%12) : (tensor<f32>) -> ()
      }) : (tensor<1x5xf32>, tensor<f32>) -> tensor<f32>
      %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %9 = "stablehlo.reduce"(%arg6, %8) <{dimensions = array<i64: 0, 1>}> ({
      ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
        %11 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%11) : (tensor<f32>) -> ()
      }) : (tensor<6x5xf32>, tensor<f32>) -> tensor<f32>
      %10 = "stablehlo.compare"(%7, %9) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<6x5xf32>, %arg3: tensor<6x5xf32>, %arg4: tensor<1x5xf32>, %arg5: tensor<i32>):
      %2 = "stablehlo.slice"(%arg3) <{limit_indices = array<i64: 1, 5>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<6x5xf32>) -> tensor<1x5xf32>
      %3 = "stablehlo.add"(%arg4, %2) : (tensor<1x5xf32>, tensor<1x5xf32>) -> tensor<1x5xf32>
      %4 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %5 = "stablehlo.add"(%arg5, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg2, %arg3, %3, %5) : (tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>, tensor<i32>) -> ()
    }) : (tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>, tensor<i32>) -> (tensor<6x5xf32>, tensor<6x5xf32>, tensor<1x5xf32>, tensor<i32>)
    "func.return"(%1#2) : (tensor<1x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
