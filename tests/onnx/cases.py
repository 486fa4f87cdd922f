"""The models of tests/data/onnx, a row each: a name, its values, its nodes in ONNX's text, an
opset. Results are y, y1, .."""

CASES = {}


def case(name, values, body, opset=17):
    assert name not in CASES, name
    CASES[name] = (values, body, opset)


# --- elementwise ---
for op in (
        "Abs Neg Sign Floor Ceil Round Exp Sin Cos Tan Sinh Cosh Tanh Asinh Atan Erf Reciprocal "
        "Relu Elu Selu Celu Sigmoid Softplus "
        "Softsign HardSigmoid LeakyRelu ThresholdedRelu Identity").split():
    case(op.lower(), "x f32[2,9]", f"y = {op} (x)")
for op in "Asin Acos Atanh".split():
    case(op.lower(), "x f32[16] in -0.95..0.95", f"y = {op} (x)")
for op in "Sqrt Log".split():
    case(op.lower(), "x f32[16] in 0.1..9", f"y = {op} (x)")
case("acosh", "x f32[16] in 1.1..9", "y = Acosh (x)")
for op in "HardSwish".split():
    case(op.lower(), "x f32[2,9] in -5..5", f"y = {op} (x)")
case("mish", "x f32[2,9] in -5..5", "y = Mish (x)", 18)
case("gelu", "x f32[2,9]", 'y = Gelu (x)\ny1 = Gelu <approximate = "tanh"> (x)', 20)
case("shrink", "x f32[2,9]", "y = Shrink <lambd = 0.7, bias = 0.2> (x)")
case("elu_alpha", "x f32[9]", "y = Elu <alpha = 0.5> (x)")
case("celu_alpha", "x f32[9]", "y = Celu <alpha = 2.0> (x)")
case(
    "is_nan_is_inf", "x f32[4]; k f32[4] = 1,0,0,-1",
    "z = Div (k, k)\nq = Div (x, z)\ny = IsNaN (q)\ni = Sub (k, k)\nj = Div (k, i)\n"
    "y1 = IsInf (j)\ny2 = IsInf <detect_negative = 0> (j)",
    20)
case("logic", "a bool[2,3]; b bool[3]",
     "y = And (a, b)\ny1 = Or (a, b)\ny2 = Xor (a, b)\ny3 = Not (a)")
case("bits", "a u8[2,4]; b u8[4]; s u8[4] in 0..7",
     'y = BitwiseAnd (a, b)\ny1 = BitwiseOr (a, b)\ny2 = BitwiseXor (a, b)\ny3 = BitwiseNot (a)\n'
     'y4 = BitShift <direction = "LEFT"> (a, s)\ny5 = BitShift <direction = "RIGHT"> (a, s)', 18)
case("arithmetic", "a f32[2,1,3]; b f32[4,1]",
     "y = Add (a, b)\ny1 = Sub (a, b)\ny2 = Mul (a, b)\ny3 = Div (a, b)")
case("arithmetic_of_integers", "a i32[6]; b i32[6] in 1..9",
     "y = Add (a, b)\ny1 = Sub (a, b)\ny2 = Mul (a, b)\ny3 = Div (a, b)")
case(
    "comparisons", "a i32[9] in 0..3; b i32[9] in 0..3",
    "y = Equal (a, b)\ny1 = Less (a, b)\ny2 = LessOrEqual (a, b)\ny3 = Greater (a, b)\n"
    "y4 = GreaterOrEqual (a, b)"
)
case("mod", "a i32[9]; b i32[9] = 7,-7,3,-3,5,-5,9,-9,4",
     "y = Mod (a, b)\ny1 = Mod <fmod = 1> (a, b)")
case("fmod", "a f32[9]; b f32[9] in 0.3..1.5", "y = Mod <fmod = 1> (a, b)")
case("pow", "x f32[9] in 0.2..3; e f32[9]; two f32 = 2; half f32 = 0.5; three i64 = 3",
     "y = Pow (x, e)\ny1 = Pow (x, two)\ny2 = Pow (x, half)\ny3 = Pow (x, three)")
case("variadic", "a f32[2,3]; b f32[3]; c f32[2,1]",
     "y = Max (a, b, c)\ny1 = Min (a, b, c)\ny2 = Sum (a, b, c)\ny3 = Mean (a, b, c)")
case("where", "c bool[3,1]; a f32[3,4]; b f32[4]", "y = Where (c, a, b)")
case("prelu", "x f32[2,3,4]; s f32[3,1]*", "y = PRelu (x, s)")
case("clip", "x f32[9]; low f32 = -0.5; high f32 = 0.7",
     "y = Clip (x, low, high)\ny1 = Clip (x, low)\ny2 = Clip (x, , high)")
case("clip_6", "x f32[9]", "y = Clip <min = -0.5, max = 0.7> (x)", 9)
case(
    "cast", "x f32[2,6] in -100..100; k i32[6]",
    "y = Cast <to = 6> (x)\ny1 = Cast <to = 9> (k)\ny2 = Cast <to = 10> (x)\n"
    "y3 = Cast <to = 1> (k)\ny4 = CastLike (k, x)"
)
case("dropout", "x f32[6]", "y, y1 = Dropout (x)")
# --- shapes ---
case("reshape", "x f32[2,3,4]; s i64[3] = 0,-1,2; t i64[2] = 4,6",
     "y = Reshape (x, s)\ny1 = Reshape (x, t)")
case("flatten", "x f32[2,3,4]",
     "y = Flatten (x)\ny1 = Flatten <axis = 0> (x)\ny2 = Flatten <axis = -1> (x)")
case("squeeze", "x f32[1,3,1,2]; a i64[1] = -2", "y = Squeeze (x, a)\ny1 = Squeeze (x)")
case("squeeze_11", "x f32[1,3,1,2]",
     "y = Squeeze <axes = [0]> (x)\ny1 = Unsqueeze <axes = [0, 5]> (x)", 11)
case("unsqueeze", "x f32[3,2]; a i64[2] = 0,-1", "y = Unsqueeze (x, a)")
case("transpose", "x f32[2,3,4]", "y = Transpose (x)\ny1 = Transpose <perm = [1, 0, 2]> (x)")
case("expand", "x f32[3,1]; s i64[3] = 2,1,4", "y = Expand (x, s)")
case("tile", "x f32[2,3]; r i64[2] = 2,3", "y = Tile (x, r)")
case("concat", "a f32[2,3]; b f32[2,1]", "y = Concat <axis = -1> (a, b, a)")
case(
    "constants", "x f32[2]",
    "a = Constant <value_floats = [1.5, 2.5]> ()\nb = Constant <value_int = 3> ()\n"
    "c = Constant <value = float[2] {0.5, 0.25}> ()\n"
    "d = Cast <to = 1> (b)\ne = Mul (a, d)\nf = Add (e, c)\ny = Add (x, f)")
case("constant_of_shape", "x f32[2,3]; s i64[2] = 2,3",
     "z = ConstantOfShape <value = float[1] {2.5}> (s)\ny = Add (x, z)\ny1 = ConstantOfShape (s)")
case("eye_like", "x f32[3,4]", "y = EyeLike (x)\ny1 = EyeLike <k = 1, dtype = 6> (x)")
case("range", "x i64[4]; a i64 = 3; b i64 = 11; d i64 = 2; f f32 = 1; g f32 = 2.2; h f32 = 0.3",
     "r = Range (a, b, d)\ny = Add (x, r)\ny1 = Range (f, g, h)")
# What exporters write for "flatten all but the first", for views and for ranges.
case(
    "shape_arithmetic",
    "x f32[2,3,4]; zero i64 = 0; one i64 = 1; minus i64[1] = -1; axis i64[1] = 0",
    "s = Shape (x)\nn = Gather <axis = 0> (s, zero)\nu = Unsqueeze (n, axis)\n"
    "t = Concat <axis = 0> (u, minus)\ny = Reshape (x, t)\n"
    "m = Size (x)\nh = Div (m, n)\nr = Range (zero, h, one)\ny1 = Identity (r)\n"
    "q = Shape <start = 1> (x)\no = Shape (q)\nw = ConstantOfShape <value = int64[1] {1}> (o)\n"
    "e = Equal (q, w)\ny2 = Where (e, w, q)"
)
case(
    "shape_in_floats", "x f32[1,2,3,5]; two f32[4] = 1,1,2,2; none f32[0] =",
    'i = Shape (x)\nf = Cast <to = 1> (i)\ng = Mul (f, two)\nh = Floor (g)\ns = Cast <to = 7> (h)\n'
    'y = Resize <mode = "nearest", nearest_mode = "floor", coordinate_transformation_mode = '
    '"asymmetric"> (x, none, none, s)'
)
# --- parts ---
case("slice", "x f32[5,6]; s i64[2] = 1,-1; e i64[2] = 4,-100; a i64[2] = 0,1; p i64[2] = 2,-2",
     "y = Slice (x, s, e, a, p)\ny1 = Slice (x, a, s)")
case("slice_9", "x f32[5,6]", "y = Slice <starts = [1], ends = [-1], axes = [1]> (x)", 9)
case("split", "x f32[2,6]; s i64[3] = 1,2,3",
     "y, y1, y2 = Split <axis = 1> (x, s)\ny3, y4 = Split <axis = -1> (x)")
case("split_18", "x f32[7,2]", "y, y1, y2 = Split <axis = 0, num_outputs = 3> (x)", 18)
case("split_11", "x f32[6]", "y, y1 = Split <split = [2, 4]> (x)", 11)
case("pad", "x f32[2,3]; p i64[4] = 1,0,0,2; v f32 = 1.5; n i64[4] = 0,-1,1,1",
     'y = Pad (x, p, v)\ny1 = Pad <mode = "edge"> (x, p)\ny2 = Pad (x, n)')
case("pad_reflect", "x f32[2,4]; p i64[4] = 1,3,0,2", 'y = Pad <mode = "reflect"> (x, p)')
case("pad_wrap", "x f32[2,4]; p i64[4] = 1,3,0,2", 'y = Pad <mode = "wrap"> (x, p)', 19)
case("pad_axes", "x f32[2,3]; p i64[2] = 1,2; a i64[1] = -1", "y = Pad (x, p, , a)", 18)
case("pad_9", "x f32[2,3]", "y = Pad <pads = [0, 1, 0, 1], value = 0.5> (x)", 9)
case("depth_to_space", "x f32[1,8,2,3]",
     'y = DepthToSpace <blocksize = 2> (x)\ny1 = DepthToSpace <blocksize = 2, mode = "CRD"> (x)')
case("space_to_depth", "x f32[1,2,4,6]", "y = SpaceToDepth <blocksize = 2> (x)")
case("trilu", "x f32[3,4]; k i64 = 1", "y = Trilu (x)\ny1 = Trilu <upper = 0> (x, k)")
case("reverse_sequence", "x f32[4,3]; n i64[3] in 1..4",
     "y = ReverseSequence <time_axis = 0, batch_axis = 1> (x, n)")
case("center_crop_pad", "x f32[5,4]; s i64[2] = 3,7", "y = CenterCropPad (x, s)", 18)
case("compress", "x f32[4,2]; c bool[4] = 0,1,1,0", "y = Compress <axis = 0> (x, c)")
case("non_zero", "x i64[2,3]; k i64[2,3] = 1,0,2,0,0,3",
     "n = NonZero (k)\nt = Transpose (n)\ny = GatherND (x, t)")
# --- indices ---
case("gather", "x f32[4,3]; i i64[2,2] in -4..3",
     "y = Gather (x, i)\ny1 = Gather <axis = 0> (x, i)")
case("gather_axis", "x f32[2,4,3]; i i32[2] in -4..3", "y = Gather <axis = 1> (x, i)")
case("gather_elements", "x f32[3,4]; i i64[3,2] in -4..3", "y = GatherElements <axis = 1> (x, i)")
case("gather_nd", "x f32[3,4,2]; i i64[2,2] in 0..2; j i64[3,1] in -4..3",
     "y = GatherND (x, i)\ny1 = GatherND <batch_dims = 1> (x, j)")
case("scatter_elements", "x f32[3,4]; i i64[2,4] = 0,1,2,0,2,0,1,1; u f32[2,4]",
     "y = ScatterElements <axis = 0> (x, i, u)")
for how in ("add", "mul", "max", "min"):
    case(
        f"scatter_{how}", "x f32[3,4]; i i64[2,4] in -3..2; u f32[2,4]; j i64[2,1] = 1,1",
        f'y = ScatterElements <axis = 0, reduction = "{how}"> (x, i, u)\n'
        f'y1 = ScatterND <reduction = "{how}"> (x, j, u)',
        18)
case("scatter_9", "x f32[3]; i i64[2] = 2,0; u f32[2]", "y = Scatter (x, i, u)", 9)
case("scatter_nd", "x f32[4,3]; i i64[2,1] = 2,-4; u f32[2,3]", "y = ScatterND (x, i, u)")
case("one_hot", "i i64[3] in -4..3; d i64 = 4; v f32[2] = -1,2",
     "y = OneHot (i, d, v)\ny1 = OneHot <axis = 0> (i, d, v)")
# --- reductions ---
for op in "Sum Mean Max Min Prod L1 L2 SumSquare LogSumExp".split():
    case(f"reduce_{op.lower()}", "x f32[2,3,4]",
         f"y = Reduce{op} <axes = [1], keepdims = 0> (x)\ny1 = Reduce{op} (x)", 11)
case("reduce_logsum", "x f32[2,3] in 0.1..2", "y = ReduceLogSum <axes = [-1]> (x)", 11)
case("reduce_18", "x f32[2,3,4]; a i64[2] = 0,-1; none i64[0] =",
     "y = ReduceMean (x, a)\ny1 = ReduceSum <noop_with_empty_axes = 1> (x, none)", 18)
case("reduce_truth", "x bool[2,3]; a i64[1] = 1",
     "y = ReduceMax (x, a)\ny1 = ReduceMin <keepdims = 0> (x, a)", 20)
case("arg_max", "x f32[3,5]", "y = ArgMax <axis = 1> (x)\ny1 = ArgMin <axis = 0, keepdims = 0> (x)")
case("arg_max_ties", "x i32[2,9] in 0..2",
     "y = ArgMax <axis = 1> (x)\ny1 = ArgMax <axis = 1, select_last_index = 1> (x)")
case(
    "cumsum", "x f32[2,5]; a i64 = 1",
    "y = CumSum (x, a)\ny1 = CumSum <exclusive = 1> (x, a)\ny2 = CumSum <reverse = 1> (x, a)\n"
    "y3 = CumSum <exclusive = 1, reverse = 1> (x, a)"
)
case("top_k", "x f32[3,7]; k i64[1] = 3",
     "y, y1 = TopK (x, k)\ny2, y3 = TopK <largest = 0, axis = 0> (x, k)")
case("softmax", "x f32[2,3,4]",
     "y = Softmax (x)\ny1 = Softmax <axis = 1> (x)\ny2 = LogSoftmax <axis = 0> (x)")
case("softmax_11", "x f32[2,3,4]", "y = Softmax <axis = 1> (x)\ny1 = LogSoftmax (x)", 11)
case("hardmax", "x f32[3,5]", "y = Hardmax (x)")
# --- windows ---
case("conv", "x f32[1,3,6,7]; w f32[4,3,3,3]*; b f32[4]*",
     "y = Conv <pads = [1, 1, 1, 1], strides = [2, 1]> (x, w, b)")
case(
    "conv_same", "x f32[1,2,5,6]; w f32[3,2,3,2]*",
    'y = Conv <auto_pad = "SAME_UPPER", strides = [2, 2]> (x, w)\n'
    'y1 = Conv <auto_pad = "SAME_LOWER", strides = [2, 2]> (x, w)')
case("conv_groups", "x f32[1,4,5,5]; w f32[8,1,3,3]*; b f32[8]*",
     "y = Conv <group = 4, dilations = [2, 1]> (x, w, b)")
case("conv_1d", "x f32[2,3,9]; w f32[2,3,4]*", "y = Conv <strides = [2]> (x, w)")
case("conv_3d", "x f32[1,1,3,4,4]; w f32[2,1,2,2,2]*", "y = Conv (x, w)")
case("conv_transpose", "x f32[1,2,3,4]; w f32[2,3,3,3]*; b f32[3]*",
     "y = ConvTranspose <strides = [2, 2], pads = [1, 0, 1, 1], output_padding = [1, 0]> (x, w, b)")
case("conv_transpose_groups", "x f32[1,4,3,3]; w f32[4,2,2,2]*",
     "y = ConvTranspose <group = 2, dilations = [2, 1]> (x, w)")
case("conv_transpose_shape", "x f32[1,1,3,3]; w f32[1,2,3,3]*",
     "y = ConvTranspose <strides = [3, 2], output_shape = [10, 8]> (x, w)")
case(
    "max_pool", "x f32[1,2,6,7]",
    "y = MaxPool <kernel_shape = [3, 2], strides = [2, 2], pads = [1, 0, 1, 1]> (x)\n"
    "y1 = MaxPool <kernel_shape = [2, 2], strides = [2, 3], ceil_mode = 1> (x)\n"
    "y2 = MaxPool <kernel_shape = [2, 2], dilations = [2, 2]> (x)"
)
case("max_pool_places", "x f32[1,2,5,5]",
     "y, y1 = MaxPool <kernel_shape = [2, 2], strides = [2, 2], pads = [1, 0, 0, 1]> (x)")
case("max_pool_bytes", "x u8[1,1,4,4]", "y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)")
case(
    "max_unpool", "x f32[1,1,4,4]", "p, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)\n"
    "y = MaxUnpool <kernel_shape = [2, 2], strides = [2, 2]> (p, i)")
case(
    "average_pool", "x f32[1,2,5,6]",
    "y = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (x)\n"
    "y1 = AveragePool <kernel_shape = [3, 3], pads = [1, 1, 1, 1], count_include_pad = 1> (x)\n"
    "y2 = AveragePool <kernel_shape = [2, 2]> (x)"
)
case(
    "average_pool_19", "x f32[1,1,6,6]",
    "y = AveragePool <kernel_shape = [3, 3], strides = [2, 2], ceil_mode = 1, "
    "pads = [1, 1, 1, 1], count_include_pad = 1> (x)\n"
    "y1 = AveragePool <kernel_shape = [2, 2], dilations = [2, 2]> (x)",
    19)
case(
    "lp_pool", "x f32[1,1,4,4]",
    "y = LpPool <kernel_shape = [2, 2], p = 2> (x)\ny1 = LpPool <kernel_shape = [2, 2], p = 3> (x)",
    18)
case("global_pools", "x f32[2,3,4,5]",
     "y = GlobalAveragePool (x)\ny1 = GlobalMaxPool (x)\ny2 = GlobalLpPool <p = 1> (x)")
for mode in ("nearest", "linear", "cubic"):
    for how in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"):
        case(
            f"resize_{mode}_{how}", "x f32[1,1,4,5]; s i64[4] = 1,1,7,3; none f32[0] =",
            f'y = Resize <mode = "{mode}", coordinate_transformation_mode = "{how}"> (x, none, '
            f'none, s)',
            13)
for how in ("floor", "ceil", "round_prefer_ceil"):
    case(f"resize_{how}", "x f32[1,1,4,4]; s f32[4] = 1,1,1.5,2; none f32[0] =",
         f'y = Resize <mode = "nearest", nearest_mode = "{how}"> (x, none, s)', 13)
case(
    "resize_crop",
    "x f32[1,1,4,4]; r f32[8] = 0,0,0.4,0.6,1,1,1.2,1.7; s i64[4] = 1,1,3,3; none f32[0] =",
    'y = Resize <mode = "linear", coordinate_transformation_mode = "tf_crop_and_resize", '
    'extrapolation_value = 10.0> (x, r, none, s)',
    13)
case("resize_axes", "x f32[1,1,6,6]; s i64[2] = 3,4; none f32[0] =",
     'y = Resize <mode = "linear", axes = [2, 3], antialias = 1> (x, none, none, s)', 18)
case("resize_cubic_outside", "x f32[1,1,4,4]; s f32[4] = 1,1,0.8,1.7; none f32[0] =",
     'y = Resize <mode = "cubic", exclude_outside = 1, cubic_coeff_a = -0.5> (x, none, s)', 13)
case("resize_10", "x f32[1,1,2,3]; s f32[4] = 1,1,2,2", 'y = Resize <mode = "nearest"> (x, s)', 10)
case("upsample", "x f32[1,1,2,3]; s f32[4] = 1,1,2,3", 'y = Upsample <mode = "nearest"> (x, s)', 9)
# --- normalisations ---
case("batch_normalization", "x f32[2,3,4]; s f32[3]*; b f32[3]*; m f32[3]*; v f32[3]* in 0.2..2",
     "y = BatchNormalization <epsilon = 0.01> (x, s, b, m, v)")
case("instance_normalization", "x f32[2,3,4]; s f32[3]*; b f32[3]*",
     "y = InstanceNormalization (x, s, b)")
case("layer_normalization", "x f32[2,3,4]; s f32[4]*; b f32[4]*; t f32[3,4]*",
     "y = LayerNormalization (x, s, b)\ny1 = LayerNormalization <axis = 1> (x, t)")
case("group_normalization", "x f32[2,4,3]; s f32[4]*; b f32[4]*",
     "y = GroupNormalization <num_groups = 2> (x, s, b)", 21)
case("rms_normalization", "x f32[2,3,4]; s f32[4]*", "y = RMSNormalization (x, s)", 23)
case("lp_normalization", "x f32[2,3]",
     "y = LpNormalization (x)\ny1 = LpNormalization <p = 1, axis = 0> (x)")
case("lrn", "x f32[1,5,2,2]", "y = LRN <size = 3, alpha = 0.5, beta = 0.6, bias = 1.5> (x)")
case("mean_variance_normalization", "x f32[2,3,2,2]", "y = MeanVarianceNormalization (x)")
# --- products ---
case(
    "mat_mul", "a f32[2,3]; b f32[3,4]; c f32[5,2,4]; d f32[4]",
    "y = MatMul (a, b)\ny1 = MatMul (c, d)\nt = MatMul (y, d)\ny2 = MatMul (c, y3)\n"
    "y3 = Transpose (y)".replace("y2 = MatMul (c, y3)\ny3 = Transpose (y)",
                                 "y3 = Transpose (y)\ny2 = MatMul (c, y3)"))
case("mat_mul_batches", "a f32[2,1,3,4]; b f32[5,4,2]; c f32[4]",
     "y = MatMul (a, b)\ny1 = MatMul (c, b)")
case("gemm", "a f32[3,2]; b f32[4,3]; c f32[4]*",
     "y = Gemm <transA = 1, transB = 1, alpha = 0.5, beta = 2.0> (a, b, c)")
case(
    "einsum", "a f32[2,3,4]; b f32[2,4,5]; s f32[3,3]",
    'y = Einsum <equation = "bij,bjk->bik"> (a, b)\ny1 = Einsum <equation = "ii->i"> (s)\n'
    'y2 = Einsum <equation = "...ij->...ji"> (a)\ny3 = Einsum <equation = "bij,bjk"> (a, b)\n'
    'y4 = Einsum <equation = "bij->i"> (a)'
)
# --- recurrent ---
case("lstm", "x f32[3,2,4]; w f32[1,12,4]*; r f32[1,12,3]*; b f32[1,24]*",
     "y, y1, y2 = LSTM <hidden_size = 3> (x, w, r, b)")
case(
    "lstm_both",
    "x f32[3,2,4]; w f32[2,12,4]*; r f32[2,12,3]*; b f32[2,24]*; n i32[2] = 3,2; h f32[2,2,3]; c "
    "f32[2,2,3]; p f32[2,9]*",
    'y, y1, y2 = LSTM <hidden_size = 3, direction = "bidirectional"> (x, w, r, b, n, h, c, p)')
case("lstm_one_step", "x f32[1,1,4]; w f32[1,12,4]*; r f32[1,12,3]*",
     "y, y1 = LSTM <hidden_size = 3> (x, w, r)")
case("gru", "x f32[3,2,4]; w f32[1,9,4]*; r f32[1,9,3]*; b f32[1,18]*; h f32[1,2,3]",
     "y, y1 = GRU <hidden_size = 3> (x, w, r, b, , h)")
case("gru_reset_after", "x f32[3,1,4]; w f32[1,9,4]*; r f32[1,9,3]*; b f32[1,18]*",
     'y, y1 = GRU <hidden_size = 3, linear_before_reset = 1, direction = "reverse"> (x, w, r, b)')
case("rnn", "x f32[3,2,4]; w f32[1,3,4]*; r f32[1,3,3]*; b f32[1,6]*",
     'y, y1 = RNN <hidden_size = 3, activations = ["Relu"], clip = 1.5> (x, w, r, b)')
# --- quantised ---
case("qdq", "x f32[2,8] in -9..9; s f32 = 0.05; z u8 = 120",
     "q = QuantizeLinear (x, s, z)\ny = DequantizeLinear (q, s, z)\ny1 = Identity (q)")
case("qdq_ties",
     "x f32[9] = 0.5,1.5,2.5,-0.5,-1.5,-2.5,300,-300,3.5; s f32 = 1; z i8 = 0; o f32[9]",
     "q = QuantizeLinear (x, s, z)\nd = DequantizeLinear (q, s, z)\ny = Add (d, o)")
case("qdq_channels", "x f32[2,3,4]; s f32[3] = 0.01,0.02,0.03; z i8[3] = 1,-2,3",
     "q = QuantizeLinear (x, s, z)\ny = DequantizeLinear (q, s, z)\ny1 = Identity (q)")
case(
    "qdq_blocks", "x f32[2,6]; s f32[2,2] = 0.01,0.02,0.03,0.04; z u8[2,2] = 1,2,3,4",
    "q = QuantizeLinear <block_size = 3> (x, s, z)\n"
    "y = DequantizeLinear <block_size = 3> (q, s, z)\ny1 = Identity (q)", 21)
case(
    "q_linear_conv",
    "x u8[1,2,5,5]; w i8[3,2,3,3]*; b i32[3]*; xs f32 = 0.02; xz u8 = 130; ws f32[3] = "
    "0.01,0.02,0.005; wz i8[3] = 0,0,0; ys f32 = 0.1; yz u8 = 120",
    "y = QLinearConv <pads = [1, 1, 1, 1]> (x, xs, xz, w, ws, wz, ys, yz, b)")
case(
    "q_linear_mat_mul",
    "a u8[3,4]; b u8[4,2]*; as f32 = 0.02; az u8 = 13; bs f32 = 0.03; bz u8 = 140; ys f32 = 0.2; "
    "yz u8 = 99",
    "y = QLinearMatMul (a, as, az, b, bs, bz, ys, yz)")
case("conv_integer", "x u8[1,1,4,4]; w u8[2,1,2,2]*; xz u8 = 7",
     "y = ConvInteger <pads = [1, 0, 0, 1]> (x, w, xz)")
case("mat_mul_integer", "a u8[3,4]; b i8[4,2]*; az u8 = 12; bz i8 = -3",
     "y = MatMulInteger (a, b, az, bz)")
case("dynamic_quantize", "x f32[3,4]", "y, y1, y2 = DynamicQuantizeLinear (x)")
# --- control ---
case(
    "if_known", "x f32[2,3]; three i64 = 3; one i64 = 1",
    "s = Shape (x)\nn = Gather (s, one)\nc = Equal (n, three)\n"
    "y = If (c) <then_branch = yes () => (float[2,3] t) { t = Relu (x) }, else_branch = no () => "
    "(float[2,3] e) { e = Neg (x) }>"
)
case(
    "if_computed", "x f32[3]; c bool",
    "y = If (c) <then_branch = yes () => (float[3] t) { t = Relu (x) }, else_branch = no () => "
    "(float[3] e) { h = Neg (x)\ne = Exp (h) }>"
)
case(
    "loop", "x f32[3]; n i64 = 4; go bool = 1; k f32 = 0.5",
    "y, y1 = Loop (n, go, x) <body = b (int64 i, bool c, float[3] a) => (bool d, float[3] r, "
    "float[3] s) {\n"
    "d = Identity (c)\nf = Cast <to = 1> (i)\ng = Mul (f, k)\nr = Add (a, g)\ns = Mul (r, x) }>")
case(
    "loop_until", "x f32[1]; n i64 = 100; go bool = 1; limit f32[1] = 50; two f32 = 2",
    "z = Abs (x)\no = Add (z, two)\ny = Loop (n, go, o) <body = b (int64 i, bool c, float[1] a) => "
    "(bool d, float[1] r) {\n"
    "r = Mul (a, two)\nd = Less (r, limit) }>")
case(
    "scan", "s f32[2]; x f32[4,2]; k f32[2]",
    "y, y1 = Scan <num_scan_inputs = 1, body = b (float[2] a, float[2] e) => (float[2] r, float[2] "
    "o) {\nr = Add (a, e)\no = Mul (r, k) }> (s, x)"
)
case("function", "x f32[2,3]; w f32[3]*",
     'y = local.scaled <alpha = 0.2> (x, w)\n//<domain: "local", opset_import: ["" : 17]>\n'
     "scaled <alpha> (a, b) => (c) { d = LeakyRelu <alpha : float = @alpha> (a)\nc = Mul (d, b) }")
case(
    "loss", "x f32[2,3,4]; t i64[2,4] in 0..2; w f32[3]* in 0.5..2",
    "y = SoftmaxCrossEntropyLoss (x, t, w)\nl = LogSoftmax <axis = 1> (x)\n"
    "y1 = NegativeLogLikelihoodLoss <reduction = \"none\", ignore_index = 1> (l, t)"
)
# --- sampling, attention, windows of signals ---
for mode in ("linear", "nearest", "cubic"):
    for padding in ("zeros", "border", "reflection"):
        case(
            f"grid_sample_{mode}_{padding}", "x f32[1,2,4,5]; g f32[1,3,3,2] in -1.4..1.4",
            f'y = GridSample <mode = "{mode}", padding_mode = "{padding}"> (x, g)\n'
            f'y1 = GridSample <mode = "{mode}", padding_mode = "{padding}", align_corners = 1> (x, '
            f'g)',
            20)
case("grid_sample_3d", "x f32[2,1,3,4,2]; g f32[2,2,2,2,3] in -1.2..1.2", "y = GridSample (x, g)",
     20)
case(
    "attention",
    "q f32[1,2,3,4]; k f32[1,2,5,4]; v f32[1,2,5,6]; m f32[3,5]; b bool[3,5] = "
    "1,1,0,1,0,0,1,1,1,1,1,0,0,0,1",
    "y = Attention (q, k, v)\ny1 = Attention <scale = 0.3> (q, k, v, m)\n"
    "y3 = Attention <softcap = 1.5> (q, k, v)\ny2 = Attention (q, k, v, b)",
    23)
case("attention_past",
     "q f32[1,2,3,4]; k f32[1,2,3,4]; v f32[1,2,3,4]; pk f32[1,2,2,4]; pv f32[1,2,2,4]",
     "y, y1, y2, y3 = Attention (q, k, v, , pk, pv)\ny4 = Attention <is_causal = 1> (q, k, v)", 23)
case(
    "rotary_embedding",
    "x f32[1,2,3,4]; c f32[5,2]*; s f32[5,2]*; p i64[1,3] in 0..4; cc f32[1,3,2]*; ss f32[1,3,2]*; "
    "z f32[1,3,8]",
    "y = RotaryEmbedding (x, c, s, p)\ny1 = RotaryEmbedding <interleaved = 1> (x, c, s, p)\n"
    "y2 = RotaryEmbedding <num_heads = 2> (z, cc, ss)", 23)
case("rotary_embedding_part", "x f32[1,2,3,4]; c f32[5,1]*; s f32[5,1]*; p i64[1,3] in 0..4",
     "y = RotaryEmbedding <rotary_embedding_dim = 2> (x, c, s, p)", 23)
case(
    "windows", "x f32[7]; n i64 = 7",
    "a = HannWindow (n)\nb = HammingWindow <periodic = 0> (n)\nc = BlackmanWindow (n)\n"
    "y = Mul (x, a)\ny1 = Mul (x, b)\ny2 = Mul (x, c)"
)
