"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<2x3x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.broadcast"(%arg0) <{broadcast_sizes = array<i64: 2, 3>}> : (tensor<6xf32>) -> tensor<2x3x6xf32>
    "func.return"(%0) : (tensor<2x3x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
