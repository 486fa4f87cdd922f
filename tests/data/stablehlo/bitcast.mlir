module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xi32> {jax.result_info = "result[0]"}, tensor<6x4xui8> {jax.result_info = "result[1]"}, tensor<6xf32> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6xi32>
    %1 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6x4xui8>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<6xf32>) -> tensor<6x2xi16>
    %3 = stablehlo.bitcast_convert %2 : (tensor<6x2xi16>) -> tensor<6xf32>
    return %0, %1, %3 : tensor<6xi32>, tensor<6x4xui8>, tensor<6xf32>
  }
}
