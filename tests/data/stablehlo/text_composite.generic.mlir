"builtin.module"() <{sym_name = "composites"}> ({
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<6xf32>):
    %2 = "stablehlo.composite"(%arg1) <{composite_attributes = {approximate = "tanh"}, decomposition = @gelu, name = "my.gelu", version = 2 : i32}> : (tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%2) : (tensor<6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "gelu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.logistic"(%arg0) : (tensor<6xf32>) -> tensor<6xf32>
    %1 = "stablehlo.multiply"(%0, %arg0) : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
    "func.return"(%1) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
