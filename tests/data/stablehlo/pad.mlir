module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<7x9xf32> {jax.result_info = "result[0]"}, tensor<10x4xf32> {jax.result_info = "result[1]"}, tensor<6x8xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %c) : (tensor<4x6xf32>, tensor<i32>) -> tensor<7x9xf32>
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %1 = stablehlo.pad %arg0, %cst, low = [1, -2], high = [-1, 0], interior = [2, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<10x4xf32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %2 = call @_pad_0(%arg0, %c_0) : (tensor<4x6xf32>, tensor<i32>) -> tensor<6x8xf32>
    return %0, %1, %2 : tensor<7x9xf32>, tensor<10x4xf32>, tensor<6x8xf32>
  }
  func.func private @_pad(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> tensor<7x9xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [1, 0], high = [2, 3], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<7x9xf32>
    return %1 : tensor<7x9xf32>
  }
  func.func private @_pad_0(%arg0: tensor<4x6xf32>, %arg1: tensor<i32>) -> tensor<6x8xf32> {
    %0 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %1 = stablehlo.slice %arg0 [1:2, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %2 = call @_flip(%1) : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %3 = stablehlo.concatenate %2, %arg0, dim = 0 : (tensor<1x6xf32>, tensor<4x6xf32>) -> tensor<5x6xf32>
    %4 = stablehlo.slice %3 [4:5, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %5 = stablehlo.slice %3 [3:4, 0:6] : (tensor<5x6xf32>) -> tensor<1x6xf32>
    %6 = call @_flip(%5) : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %7 = stablehlo.concatenate %3, %6, dim = 0 : (tensor<5x6xf32>, tensor<1x6xf32>) -> tensor<6x6xf32>
    %8 = stablehlo.slice %7 [0:6, 0:1] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %9 = stablehlo.slice %7 [0:6, 1:2] : (tensor<6x6xf32>) -> tensor<6x1xf32>
    %10 = call @_flip_1(%9) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %11 = stablehlo.concatenate %10, %7, dim = 1 : (tensor<6x1xf32>, tensor<6x6xf32>) -> tensor<6x7xf32>
    %12 = stablehlo.slice %11 [0:6, 6:7] : (tensor<6x7xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.slice %11 [0:6, 5:6] : (tensor<6x7xf32>) -> tensor<6x1xf32>
    %14 = call @_flip_1(%13) : (tensor<6x1xf32>) -> tensor<6x1xf32>
    %15 = stablehlo.concatenate %11, %14, dim = 1 : (tensor<6x7xf32>, tensor<6x1xf32>) -> tensor<6x8xf32>
    return %15 : tensor<6x8xf32>
  }
  func.func private @_flip(%arg0: tensor<1x6xf32>) -> tensor<1x6xf32> {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<1x6xf32>
    return %0 : tensor<1x6xf32>
  }
  func.func private @_flip_1(%arg0: tensor<6x1xf32>) -> tensor<6x1xf32> {
    %0 = stablehlo.reverse %arg0, dims = [1] : tensor<6x1xf32>
    return %0 : tensor<6x1xf32>
  }
}
