"builtin.module"() <{sym_name = "jit_logistic"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f32>>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    %1 = "stablehlo.exponential"(%0) : (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    %2 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<9xcomplex<f32>>
    %4 = "stablehlo.add"(%3, %1) : (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    %5 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<9xcomplex<f32>>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    "func.return"(%7) : (tensor<9xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
