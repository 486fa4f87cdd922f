"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i32>, tensor<6xf32>) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i32>, %arg1: tensor<6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.add"(%arg1, %arg1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    %2:2 = "stablehlo.while"(%0, %arg1) ({
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<6xf32>):
      %6 = "stablehlo.compare"(%arg4, %arg0) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%6) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<6xf32>):
      %3 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %4 = "stablehlo.add"(%arg2, %3) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %5 = "stablehlo.add"(%arg3, %1) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
      "stablehlo.return"(%4, %5) : (tensor<i32>, tensor<6xf32>) -> ()
    }) : (tensor<i32>, tensor<6xf32>) -> (tensor<i32>, tensor<6xf32>)
    "func.return"(%2#1) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
