"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<6xf32>):
    %1 = "func.call"(%arg1) <{callee = @double}> : (tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%1) : (tensor<6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "double", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.add"(%arg0, %arg0) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%0) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
