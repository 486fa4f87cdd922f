"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}], function_type = (tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>) -> (tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}, {jax.result_info = "result[6]"}, {jax.result_info = "result[7]"}, {jax.result_info = "result[8]"}, {jax.result_info = "result[9]"}, {jax.result_info = "result[10]"}, {jax.result_info = "result[11]"}, {jax.result_info = "result[12]"}, {jax.result_info = "result[13]"}, {jax.result_info = "result[14]"}, {jax.result_info = "result[15]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xf16>, %arg1: tensor<9xf16>, %arg2: tensor<9xf16>, %arg3: tensor<9xf16>, %arg4: tensor<9xf16>, %arg5: tensor<9xf16>, %arg6: tensor<9xf16>, %arg7: tensor<9xf16>, %arg8: tensor<9xf16>, %arg9: tensor<9xf16>, %arg10: tensor<9xf16>, %arg11: tensor<9xf16>, %arg12: tensor<9xf16>, %arg13: tensor<9xf16>, %arg14: tensor<9xf16>, %arg15: tensor<9xf16>):
    %0 = "chlo.lgamma"(%arg0) : (tensor<9xf16>) -> tensor<9xf16>
    %1 = "chlo.digamma"(%arg1) : (tensor<9xf16>) -> tensor<9xf16>
    %2 = "chlo.erf_inv"(%arg2) : (tensor<9xf16>) -> tensor<9xf16>
    %3 = "chlo.erfc"(%arg3) : (tensor<9xf16>) -> tensor<9xf16>
    %4 = "chlo.bessel_i1e"(%arg4) : (tensor<9xf16>) -> tensor<9xf16>
    %5 = "chlo.sinh"(%arg5) : (tensor<9xf16>) -> tensor<9xf16>
    %6 = "chlo.cosh"(%arg6) : (tensor<9xf16>) -> tensor<9xf16>
    %7 = "chlo.asin"(%arg7) : (tensor<9xf16>) -> tensor<9xf16>
    %8 = "chlo.asinh"(%arg8) : (tensor<9xf16>) -> tensor<9xf16>
    %9 = "chlo.atanh"(%arg9) : (tensor<9xf16>) -> tensor<9xf16>
    %10 = "chlo.acosh"(%arg10) : (tensor<9xf16>) -> tensor<9xf16>
    %11 = "chlo.acos"(%arg11) : (tensor<9xf16>) -> tensor<9xf16>
    %12 = "chlo.atan"(%arg12) : (tensor<9xf16>) -> tensor<9xf16>
    %13 = "stablehlo.exponential"(%arg13) : (tensor<9xf16>) -> tensor<9xf16>
    %14 = "chlo.erf"(%arg14) : (tensor<9xf16>) -> tensor<9xf16>
    %15 = "stablehlo.tan"(%arg15) : (tensor<9xf16>) -> tensor<9xf16>
    "func.return"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15) : (tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>, tensor<9xf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
