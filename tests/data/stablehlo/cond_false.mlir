module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<i1>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.convert %arg1 : (tensor<i1>) -> tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      %2 = stablehlo.multiply %arg0, %arg0 : tensor<4x6xf32>
      stablehlo.return %arg0, %2 : tensor<4x6xf32>, tensor<4x6xf32>
    }, {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
      %3 = stablehlo.add %arg0, %2 : tensor<4x6xf32>
      stablehlo.return %3, %arg0 : tensor<4x6xf32>, tensor<4x6xf32>
    }) : (tensor<i32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)
    return %1#0, %1#1 : tensor<4x6xf32>, tensor<4x6xf32>
  }
}
