"""Models that are wrong in one thing, and what the diagnostic says of it: `bad_NAME(model, graph)`
change a sound model."""
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema


def bad_version(model, graph):
    model.model.version = 2
    return "is a TensorFlow Lite model of version 2, not 3"


def bad_no_subgraph(model, graph):
    model.model.subgraphs = []
    return "subgraphs is empty"


def bad_opcode_index(model, graph):
    graph.graph.operators[0].opcodeIndex = 9
    return "subgraphs[0].operators[0].opcode_index names operator code 9 of 1"


def bad_operand(model, graph):
    graph.graph.operators[0].inputs[1] = 77
    return "subgraphs[0].operators[0].inputs names tensor 77 of 4"


def bad_result(model, graph):
    graph.graph.operators[0].outputs[0] = -2
    return "subgraphs[0].operators[0].outputs names tensor -2 of 4"


def bad_model_input(model, graph):
    graph.graph.inputs[0] = -1
    return "subgraphs[0].inputs names tensor -1 of 4"


def bad_model_output(model, graph):
    graph.graph.outputs[0] = 4
    return "subgraphs[0].outputs names tensor 4 of 4"


def bad_buffer(model, graph):
    graph.graph.tensors[1].buffer = 100
    return "subgraphs[0].tensors[1].buffer names buffer 100 of 3"


def bad_zero_points(model, graph):
    graph.graph.tensors[1].quantization.zeroPoint = [0, 0]
    return "subgraphs[0].tensors[1].quantization.zero_point has 2 elements for 3 scales"


def bad_zero_point_of_64_bits(model, graph):
    graph.graph.tensors[0].quantization.zeroPoint = [1 << 40]
    return "subgraphs[0].tensors[0].quantization.zero_point has 1099511627776, beyond 32 bits"


def bad_channels(model, graph):
    graph.graph.tensors[1].quantization.quantizedDimension = 5
    return "subgraphs[0].tensors[1].quantization.quantized_dimension is 5, which has no 3 channels"


def bad_signature_subgraph(model, graph):
    one = schema.SignatureDefT()
    one.signatureKey, one.subgraphIndex, one.inputs, one.outputs = "f", 3, [], []
    model.model.signatureDefs = [one]
    return "signature_defs[0].subgraph_index names subgraph 3 of 1"


def bad_signature_tensor(model, graph):
    one, name = schema.SignatureDefT(), schema.TensorMapT()
    name.name, name.tensorIndex = "x", 9
    one.signatureKey, one.subgraphIndex, one.inputs, one.outputs = "f", 0, [name], []
    model.model.signatureDefs = [one]
    return "signature_defs[0].inputs[0].tensor_index names tensor 9 of 4"


def bad_shape_signature(model, graph):
    graph.graph.tensors[0].shapeSignature = [1]
    return "subgraphs[0].tensors[0].shape_signature has another number of dimensions than the shape"


def bad_operand_before_its_time(model, graph):
    graph.graph.operators[0].inputs[0] = 3
    return "operator 0 (CONV_2D) of subgraph 0 reads tensor 3 (y), which nothing before it gives"


def bad_result_that_is_known(model, graph):
    graph.graph.operators[0].outputs[0] = 1
    return "operator 0 (CONV_2D) of subgraph 0 gives tensor 1 (w), which has a value already"


def bad_output_of_nothing(model, graph):
    graph.graph.operators = []
    return "nothing gives the model's output \"y\""


def bad_negative_size(model, graph):
    graph.graph.tensors[0].shape = [1, -4, 4, 2]
    return "tensor \"x\" has the negative size -4"


def bad_great_size(model, graph):
    graph.graph.tensors[0].shape = [1, 1 << 30, 1 << 30, 2]
    return "tensor \"x\" is larger than 2147483648 bytes"


def bad_string(model, graph):
    graph.graph.tensors[0].type = schema.TensorType.STRING
    return "tensor \"x\" has elements of STRING, which HLO lacks"


def bad_type_number(model, graph):
    graph.graph.tensors[0].type = 99
    return "tensor \"x\" has elements of type 99, which HLO lacks"


def bad_constant_bytes(model, graph):
    model.model.buffers[1].data = model.model.buffers[1].data[:-1]
    return "layer \"y\": tensor \"w\" has 5 bytes for its shape s8[3,1,1,2]"


def bad_result_shape(model, graph):
    graph.graph.tensors[3].shape = [1, 4, 4, 4]
    return "result \"y\" has the shape [1,4,4,4], where the operator gives s8[1,4,4,3]"


def bad_result_type(model, graph):
    graph.graph.tensors[3].type = schema.TensorType.INT16
    return "CONV_2D (version 1) of layer \"y\": no kernel for element types (INT8, INT8, INT32) -> INT16"


def bad_newer_version(model, graph):
    model.model.operatorCodes[0].version = 99
    return "CONV_2D (version 99) of layer \"y\": version 99 is newer than what is read"


def bad_unknown_operator(model, graph):
    model.model.operatorCodes[0].builtinCode, model.model.operatorCodes[
        0].deprecatedBuiltinCode = 103, 103
    return "builtin operator 103 (version 1) of layer \"y\": the operator is not read"


def bad_custom_operator(model, graph):
    code = model.model.operatorCodes[0]
    code.builtinCode = code.deprecatedBuiltinCode = 32
    code.customCode = "Mystery"
    return "custom Mystery (version 1) of layer \"y\": the operator is not read"


def bad_stride(model, graph):
    graph.graph.operators[0].builtinOptions.strideW = 0
    return "a window of 1 with stride 0 and dilation 1 over 4"


def bad_padding(model, graph):
    graph.graph.operators[0].builtinOptions.padding = 7
    return "has padding 7"


def bad_activation(model, graph):
    graph.graph.operators[0].builtinOptions.fusedActivationFunction = 4
    return "the fused activation 4 in integers"


def bad_scale(model, graph):
    graph.graph.tensors[0].quantization.scale = [float("nan")]
    return "the scale of \"x\" is no positive number"


def bad_no_scale(model, graph):
    graph.graph.tensors[3].quantization = None
    return "\"y\" has no scale"


def bad_weights_with_zero_point(model, graph):
    graph.graph.tensors[1].quantization.zeroPoint = [0, 1, 0]
    return "weights with a zero point"


def bad_few_operands(model, graph):
    graph.graph.operators[0].inputs = [0]
    return "has 1 operands, or lacks one"


def bad_rank(model, graph):
    graph.graph.tensors[0].shape = [16, 2]
    return "operand 0 (\"x\") has 2 dimensions, not 4"


def bad_biases(model, graph):
    graph.graph.tensors[2].shape, graph.graph.tensors[2].quantization = [1], None
    model.model.buffers[2].data = model.model.buffers[2].data[:4]
    return "has 1 biases for 3 outputs"


def bad_blocks(model, graph):
    graph.graph.tensors[1].quantization.detailsType = 2
    graph.graph.tensors[1].quantization.details = schema.BlockwiseQuantizationT()
    return "subgraphs[0].tensors[1].quantization.details_type is quantisation by blocks, which is not read"


def bad_zero_point_of_a_byte(model, graph):
    graph.graph.tensors[0].quantization.zeroPoint = [300]
    return "the zero point of \"x\" is beyond its type"


def bad_great_stride(model, graph):
    graph.graph.operators[0].builtinOptions.strideH = 1 << 30
    return "a window of 1 with stride 1073741824 and dilation 1 over 4"


def bad_small_scale(model, graph):
    graph.graph.tensors[3].quantization.scale = [1e-30]
    return "a result's scale so small that sums overflow"
