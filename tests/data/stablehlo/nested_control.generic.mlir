"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x6xf32>) -> tensor<4x6xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg11: tensor<4x6xf32>):
    %13 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %15:4 = "stablehlo.while"(%arg11, %14, %13, %arg11) ({
    ^bb0(%arg16: tensor<4x6xf32>, %arg17: tensor<i32>, %arg18: tensor<i32>, %arg19: tensor<4x6xf32>):
      %19 = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %20 = "stablehlo.compare"(%arg17, %19) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%20) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg12: tensor<4x6xf32>, %arg13: tensor<i32>, %arg14: tensor<i32>, %arg15: tensor<4x6xf32>):
      %16:2 = "func.call"(%arg12, %arg14, %arg15) <{callee = @closed_call}> : (tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>)
      %17 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %18 = "stablehlo.add"(%arg13, %17) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg12, %18, %16#0, %16#1) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> ()
    }) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>)
    "func.return"(%15#3) : (tensor<4x6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>, %arg2: tensor<4x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg1, %0) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.compare"(%arg1, %2) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.convert"(%3) : (tensor<i1>) -> tensor<i32>
    %5 = "stablehlo.case"(%4) ({
      %12 = "stablehlo.subtract"(%arg2, %arg0) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
      "stablehlo.return"(%12) : (tensor<4x6xf32>) -> ()
    }, {
      %6 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
      %7:4 = "stablehlo.while"(%arg0, %6, %arg1, %arg2) ({
      ^bb0(%arg7: tensor<4x6xf32>, %arg8: tensor<i32>, %arg9: tensor<i32>, %arg10: tensor<4x6xf32>):
        %11 = "stablehlo.compare"(%arg8, %arg9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
        "stablehlo.return"(%11) : (tensor<i1>) -> ()
      }, {
      ^bb0(%arg3: tensor<4x6xf32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<4x6xf32>):
        %8 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
        %9 = "stablehlo.add"(%arg4, %8) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        %10 = "stablehlo.add"(%arg6, %arg3) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
        "stablehlo.return"(%arg3, %9, %arg5, %10) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> ()
      }) : (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<i32>, tensor<i32>, tensor<4x6xf32>)
      "stablehlo.return"(%7#3) : (tensor<4x6xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4x6xf32>
    "func.return"(%1, %5) : (tensor<i32>, tensor<4x6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
