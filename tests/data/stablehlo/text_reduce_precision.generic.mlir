"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.reduce_precision"(%arg0) <{exponent_bits = 8 : i32, mantissa_bits = 10 : i32}> : (tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%0) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
