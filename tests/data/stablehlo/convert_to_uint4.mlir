module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<24xf32>) -> (tensor<24xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<24xf32>) -> tensor<24xui4>
    %1 = stablehlo.convert %0 : (tensor<24xui4>) -> tensor<24xf32>
    return %1 : tensor<24xf32>
  }
}
