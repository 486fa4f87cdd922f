module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xi32>) -> (tensor<17xi32> {jax.result_info = "result[0]"}, tensor<17xi32> {jax.result_info = "result[1]"}, tensor<17xi32> {jax.result_info = "result[2]"}, tensor<17xi32> {jax.result_info = "result[3]"}) {
    %0 = stablehlo.popcnt %arg0 : tensor<17xi32>
    %1 = stablehlo.count_leading_zeros %arg0 : tensor<17xi32>
    %2 = stablehlo.not %arg0 : tensor<17xi32>
    %3 = stablehlo.sign %arg0 : tensor<17xi32>
    return %0, %1, %2, %3 : tensor<17xi32>, tensor<17xi32>, tensor<17xi32>, tensor<17xi32>
  }
}
