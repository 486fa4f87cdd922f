module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<11xf16>) -> (tensor<11xi1> {jax.result_info = "result[0]"}, tensor<11xi8> {jax.result_info = "result[1]"}, tensor<11xi16> {jax.result_info = "result[2]"}, tensor<11xi32> {jax.result_info = "result[3]"}, tensor<11xi64> {jax.result_info = "result[4]"}, tensor<11xui8> {jax.result_info = "result[5]"}, tensor<11xui16> {jax.result_info = "result[6]"}, tensor<11xui32> {jax.result_info = "result[7]"}, tensor<11xui64> {jax.result_info = "result[8]"}, tensor<11xf16> {jax.result_info = "result[9]"}, tensor<11xbf16> {jax.result_info = "result[10]"}, tensor<11xf32> {jax.result_info = "result[11]"}, tensor<11xf64> {jax.result_info = "result[12]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<11xf16>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<11xf16>, tensor<11xf16>) -> tensor<11xi1>
    %2 = stablehlo.convert %1 : tensor<11xi1>
    %3 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xi8>
    %4 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xi16>
    %5 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xi32>
    %6 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xi64>
    %7 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xui8>
    %8 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xui16>
    %9 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xui32>
    %10 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xui64>
    %11 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xbf16>
    %12 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xf32>
    %13 = stablehlo.convert %arg0 : (tensor<11xf16>) -> tensor<11xf64>
    return %2, %3, %4, %5, %6, %7, %8, %9, %10, %arg0, %11, %12, %13 : tensor<11xi1>, tensor<11xi8>, tensor<11xi16>, tensor<11xi32>, tensor<11xi64>, tensor<11xui8>, tensor<11xui16>, tensor<11xui32>, tensor<11xui64>, tensor<11xf16>, tensor<11xbf16>, tensor<11xf32>, tensor<11xf64>
  }
}
