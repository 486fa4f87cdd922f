module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main() -> (tensor<7xf32> {jax.result_info = "result[0]"}, tensor<3x4xi32> {jax.result_info = "result[1]"}, tensor<3xcomplex<f32>> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.iota dim = 0 : tensor<7xf32>
    %1 = stablehlo.iota dim = 1 : tensor<3x4xi32>
    %2 = stablehlo.iota dim = 0 : tensor<3xcomplex<f32>>
    return %0, %1, %2 : tensor<7xf32>, tensor<3x4xi32>, tensor<3xcomplex<f32>>
  }
}
