module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<4x6xf32>, tensor<6xf32>>
    %1 = stablehlo.tuple %0, %arg1 : tuple<tuple<tensor<4x6xf32>, tensor<6xf32>>, tensor<6xf32>>
    %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<4x6xf32>, tensor<6xf32>>, tensor<6xf32>>) -> tuple<tensor<4x6xf32>, tensor<6xf32>>
    %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<4x6xf32>, tensor<6xf32>>) -> tensor<6xf32>
    return %3 : tensor<6xf32>
  }
}
