"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> (tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>, tensor<4x5xcomplex<f32>>, tensor<4x8xf32>, tensor<4x8xcomplex<f32>>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<4x8xf32>):
    %8 = "func.call"(%arg5) <{callee = @fft}> : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %9 = "func.call"(%arg5) <{callee = @fft_0}> : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %10 = "func.call"(%arg5) <{callee = @fft_1}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    %11 = "func.call"(%arg5) <{callee = @fft_1}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    %12 = "func.call"(%11) <{callee = @fft_2}> : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
    %13 = "func.call"(%arg5) <{callee = @fft_3}> : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    "func.return"(%8, %9, %10, %12, %13) : (tensor<4x8xcomplex<f32>>, tensor<4x8xcomplex<f32>>, tensor<4x5xcomplex<f32>>, tensor<4x8xf32>, tensor<4x8xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<4x8xf32>):
    %6 = "stablehlo.convert"(%arg4) : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %7 = "stablehlo.fft"(%6) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    "func.return"(%7) : (tensor<4x8xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>, res_attrs = [{}], sym_name = "fft_0", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x8xf32>):
    %4 = "stablehlo.convert"(%arg3) : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %5 = "stablehlo.fft"(%4) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    "func.return"(%5) : (tensor<4x8xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>, res_attrs = [{}], sym_name = "fft_1", sym_visibility = "private"}> ({
  ^bb0(%arg2: tensor<4x8xf32>):
    %3 = "stablehlo.fft"(%arg2) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    "func.return"(%3) : (tensor<4x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>, res_attrs = [{}], sym_name = "fft_2", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<4x5xcomplex<f32>>):
    %2 = "stablehlo.fft"(%arg1) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<4x5xcomplex<f32>>) -> tensor<4x8xf32>
    "func.return"(%2) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>, res_attrs = [{}], sym_name = "fft_3", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x8xf32>):
    %0 = "stablehlo.convert"(%arg0) : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
    %1 = "stablehlo.fft"(%0) <{fft_length = array<i64: 4, 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    "func.return"(%1) : (tensor<4x8xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
