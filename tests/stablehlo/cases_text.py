"""Programs as texts of StableHLO: operations and spellings that JAX's own tracing does not print.
JAX's MLIR reads them, prints both forms, and makes the HLO."""
import numpy as np

from case import draw, text_case

F = np.float32
X = draw("x", (4, 6), F)
V = draw("v", (6,), F)


def body(name, lines, types, *arguments, results=None):
    """A function of %0, %1, ... that returns %r, or `results`."""
    names = {
        "float32": "f32", "int32": "i32", "bool": "i1", "uint64": "ui64", "int8": "i8",
        "complex64": "complex<f32>"
    }

    def type_of(array):
        return "tensor<" + "".join(f"{size}x"
                                   for size in array.shape) + names[array.dtype.name] + ">"

    parameters = ", ".join(
        f"%{'abcdef'[i]}: {type_of(np.asarray(a))}" for i, a in enumerate(arguments))
    listed = [types] if isinstance(types, str) else types
    returned = ", ".join(results or ["%r"])
    text_case(
        name,
        f"func.func @main({parameters}) -> ({', '.join(listed)}) {{\n{lines}\n"
        f"  return {returned} : {', '.join(listed)}\n}}",
        *arguments)


body("text_broadcast",
     "%r = stablehlo.broadcast %a, sizes = [2, 3] : (tensor<6xf32>) -> tensor<2x3x6xf32>",
     "tensor<2x3x6xf32>", V)
body("text_map", """%r = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %c = stablehlo.constant dense<2.0> : tensor<f32>
      %0 = stablehlo.multiply %x, %c : tensor<f32>
      %1 = stablehlo.subtract %0, %y : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>""", "tensor<4x6xf32>", X, X[::-1])
body("text_outer_constant", """%one = stablehlo.constant dense<1.0> : tensor<f32>
    %k = stablehlo.convert %one : (tensor<f32>) -> tensor<f32>
    %r = "stablehlo.reduce"(%a, %one) <{dimensions = array<i64: 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %0 = stablehlo.add %x, %y : tensor<f32>
      %1 = stablehlo.subtract %0, %one : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>""", "tensor<4xf32>", X)
body(
    "text_dot",
    "%r = stablehlo.dot %a, %b, precision = [HIGH, HIGHEST] : (tensor<4x6xf32>, tensor<6xf32>) -> "
    "tensor<4xf32>",
    "tensor<4xf32>", X, V)
body("text_if",
     """%r:2 = "stablehlo.if"(%a) ({
      %0 = stablehlo.add %b, %b : tensor<6xf32>
      stablehlo.return %0, %b : tensor<6xf32>, tensor<6xf32>
    }, {
      stablehlo.return %b, %c : tensor<6xf32>, tensor<6xf32>
    }) : (tensor<i1>) -> (tensor<6xf32>, tensor<6xf32>)""", ["tensor<6xf32>"] * 2,
     np.bool_(False),
     V,
     V * 3,
     results=["%r#0", "%r#1"])
body("text_case_one", """%r = "stablehlo.case"(%a) ({
      %0 = stablehlo.negate %b : tensor<6xf32>
      stablehlo.return %0 : tensor<6xf32>
    }) : (tensor<i32>) -> tensor<6xf32>""", "tensor<6xf32>", np.int32(4), V)
body("text_while_captures", """%zero = stablehlo.constant dense<0> : tensor<i32>
    %twice = stablehlo.add %b, %b : tensor<6xf32>
    %w:2 = stablehlo.while(%i = %zero, %v = %b) : tensor<i32>, tensor<6xf32>
    cond {
      %0 = stablehlo.compare LT, %i, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %0 = stablehlo.add %i, %one : tensor<i32>
      %1 = stablehlo.add %v, %twice : tensor<6xf32>
      stablehlo.return %0, %1 : tensor<i32>, tensor<6xf32>
    }""", "tensor<6xf32>", np.int32(3), V, results=["%w#1"])
body("text_while_one", """%w = stablehlo.while(%i = %a) : tensor<i32>
    cond {
      %0 = stablehlo.compare LT, %i, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    } do {
      %0 = stablehlo.add %i, %i : tensor<i32>
      stablehlo.return %0 : tensor<i32>
    }""", "tensor<i32>", np.int32(3), np.int32(50), results=["%w"])
body(
    "text_tuples", """%t = stablehlo.tuple %a, %b : tuple<tensor<4x6xf32>, tensor<6xf32>>
    %n = stablehlo.tuple %t, %b : tuple<tuple<tensor<4x6xf32>, tensor<6xf32>>, tensor<6xf32>>
    %u = stablehlo.get_tuple_element %n[0] : (tuple<tuple<tensor<4x6xf32>, tensor<6xf32>>, tensor<6xf32>>) -> tuple<tensor<4x6xf32>, tensor<6xf32>>
    %r = stablehlo.get_tuple_element %u[1] : (tuple<tensor<4x6xf32>, tensor<6xf32>>) -> tensor<6xf32>""",
    "tensor<6xf32>", X, V)
body("text_windows", """%zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2, 3>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %0 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<3x4xf32>""", "tensor<3x4xf32>", X)
body("text_windows_variadic",
     """%zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r:2 = "stablehlo.reduce_window"(%a, %b, %zero, %zero) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>,
        padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
      %0 = stablehlo.add %x, %z : tensor<f32>
      %1 = stablehlo.maximum %y, %w : tensor<f32>
      stablehlo.return %0, %1 : tensor<f32>, tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<2x4xf32>, tensor<2x4xf32>)""",
     ["tensor<2x4xf32>"] * 2,
     X,
     X[::-1],
     results=["%r#0", "%r#1"])
body(
    "text_select_and_scatter", """%zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = "stablehlo.select_and_scatter"(%a, %b, %zero) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %0 = stablehlo.compare GE, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %0 = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %0 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>""", "tensor<4x6xf32>",
    X, X[:2, :2])
body("text_sort_descending",
     """%r:2 = "stablehlo.sort"(%a, %b) <{dimension = -1 : i64}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
      %0 = stablehlo.compare GT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)""",
     ["tensor<4x6xf32>"] * 2,
     X,
     X * 2,
     results=["%r#0", "%r#1"])
for kind, operands, results in [("inference", "%a, %b, %b, %b, %c", 1),
                                ("training", "%a, %b, %c", 3)]:
    listed = ["tensor<4x6xf32>", "tensor<6xf32>", "tensor<6xf32>"][:results]
    types = ", ".join("tensor<4x6xf32>" if one == "%a" else "tensor<6xf32>"
                      for one in operands.split(", "))
    body(
        f"text_batch_norm_{kind}",
        f"""%r:{results} = "stablehlo.batch_norm_{kind}"({operands}) <{{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}}> :
        ({types}) -> ({', '.join(listed)})""",
        listed,
        X,
        V,
        abs(V),
        results=[f"%r#{i}" for i in range(results)])
body(
    "text_batch_norm_grad",
    """%r:3 = "stablehlo.batch_norm_grad"(%a, %b, %b, %c, %a) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> :
        (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>)""",
    ["tensor<4x6xf32>", "tensor<6xf32>", "tensor<6xf32>"],
    X,
    V,
    abs(V),
    results=["%r#0", "%r#1", "%r#2"])
body(
    "text_convolution",
    """%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[o, 0, i]->[b, f, 0], window = {stride = [2], pad = [[1, 2]], lhs_dilate = [2], rhs_dilate = [2], reverse = [true]}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x3xf32>, tensor<4x2x3xf32>) -> tensor<2x4x6xf32>""",
    "tensor<2x4x6xf32>", draw("i", (2, 6, 3), F), draw("k", (4, 2, 3), F))
body(
    "text_convolution_plain",
    """%r = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
        {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<3x3x2x5xf32>) -> tensor<1x2x2x5xf32>""",
    "tensor<1x2x2x5xf32>", draw("i", (1, 4, 4, 2), F), draw("k", (3, 3, 2, 5), F))
body("text_reduce_precision", "%r = stablehlo.reduce_precision %a, format = e8m10 : tensor<6xf32>",
     "tensor<6xf32>", V)
body("text_dimension_size",
     "%r = stablehlo.get_dimension_size %a, dim = 1 : (tensor<4x6xf32>) -> tensor<i32>",
     "tensor<i32>", X)
body(
    "text_cholesky",
    """%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %s = stablehlo.dot_general %a, %t, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %c = stablehlo.cholesky %s, lower = true : tensor<4x4xf32>
    %r = "stablehlo.triangular_solve"(%c, %a) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> :
        (tensor<4x4xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>""", "tensor<4x6xf32>", X)
body(
    "text_rng_bits",
    "%s, %r = stablehlo.rng_bit_generator %a, algorithm = THREE_FRY : (tensor<2xui64>) -> "
    "(tensor<2xui64>, tensor<5xui64>)",
    ["tensor<2xui64>", "tensor<5xui64>"],
    np.uint64([3, 7]),
    results=["%s", "%r"])
body("text_scatter_variadic",
     """%i = stablehlo.constant dense<[[3], [1]]> : tensor<2x1xi32>
    %u = stablehlo.slice %a [0:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
    %r:2 = "stablehlo.scatter"(%a, %b, %i, %u, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):
      %0 = stablehlo.add %x, %z : tensor<f32>
      stablehlo.return %0, %w : tensor<f32>, tensor<f32>
    }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<2x1xi32>, tensor<2x6xf32>, tensor<2x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)""",
     ["tensor<4x6xf32>"] * 2,
     X,
     X * 2,
     results=["%r#0", "%r#1"])
body("text_chlo",
     """%0 = chlo.is_inf %a : tensor<6xf32> -> tensor<6xi1>
    %1 = chlo.is_pos_inf %a : tensor<6xf32> -> tensor<6xi1>
    %2 = chlo.is_neg_inf %a : tensor<6xf32> -> tensor<6xi1>
    %3 = chlo.tan %a : tensor<6xf32> -> tensor<6xf32>
    %4 = chlo.conj %b : tensor<6xcomplex<f32>> -> tensor<6xcomplex<f32>>""",
     ["tensor<6xi1>"] * 3 + ["tensor<6xf32>", "tensor<6xcomplex<f32>>"],
     F([1, np.inf, -np.inf, np.nan, 0, 2]),
     V.astype(np.complex64) * 2j,
     results=["%0", "%1", "%2", "%3", "%4"])
text_case(
    "text_composite", """module @composites {
  func.func public @main(%a: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.composite "my.gelu" %a {composite_attributes = {approximate = "tanh"}, decomposition = @gelu, version = 2 : i32} : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @gelu(%a: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.logistic %a : tensor<6xf32>
    %1 = stablehlo.multiply %0, %a : tensor<6xf32>
    return %1 : tensor<6xf32>
  }
}""", V)
text_case("text_only_function", """func.func public @entry(%a: tensor<6xf32>) -> tensor<6xf32> {
    %0 = func.call @double(%a) : (tensor<6xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @double(%a: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.add %a, %a : tensor<6xf32>
    return %0 : tensor<6xf32>
  }""".replace("@entry", "@main"), V)
