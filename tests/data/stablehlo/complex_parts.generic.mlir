"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<7xf32>, tensor<7xf32>) -> (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>, tensor<7xf32>, tensor<7xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %1 = "stablehlo.complex"(%arg0, %arg1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %2 = "stablehlo.real"(%1) : (tensor<7xcomplex<f32>>) -> tensor<7xf32>
    %3 = "stablehlo.imag"(%1) : (tensor<7xcomplex<f32>>) -> tensor<7xf32>
    %4 = "stablehlo.negate"(%3) : (tensor<7xf32>) -> tensor<7xf32>
    %5 = "stablehlo.complex"(%2, %4) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %6 = "stablehlo.complex"(%arg0, %arg1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %7 = "stablehlo.constant"() <{value = dense<(0.000000e+00,2.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<7xcomplex<f32>>
    %9 = "stablehlo.multiply"(%6, %8) : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
    %10 = "stablehlo.real"(%9) : (tensor<7xcomplex<f32>>) -> tensor<7xf32>
    %11 = "stablehlo.complex"(%arg0, %arg1) : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xcomplex<f32>>
    %12 = "stablehlo.abs"(%11) : (tensor<7xcomplex<f32>>) -> tensor<7xf32>
    "func.return"(%0, %5, %10, %12) : (tensor<7xcomplex<f32>>, tensor<7xcomplex<f32>>, tensor<7xf32>, tensor<7xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
