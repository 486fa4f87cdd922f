module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0][0]"}, tensor<6x5xf32> {jax.result_info = "result[0][1]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}) {
    %0:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<4x6xf32>, tensor<6x5xf32>
    %1 = stablehlo.optimization_barrier %arg0 : tensor<4x6xf32>
    return %0#0, %0#1, %1 : tensor<4x6xf32>, tensor<6x5xf32>, tensor<4x6xf32>
  }
}
