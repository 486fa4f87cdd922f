"""Writes a network of networks.py as a TFLite flatbuffer, channels last, in the operations that
TensorFlow's converter would choose: in floats, or quantised as its converter does after training
(int8, weights by channel). The schema's Python classes come with the LiteRT package."""
import flatbuffers
import numpy
from ai_edge_litert import schema_py_generated as schema

OPERATORS, OPTIONS, TYPES = (schema.BuiltinOperator, schema.BuiltinOptions, schema.TensorType)
ACTIVATIONS = {None: 0, "relu": 1, "relu6": 3}
SAME, VALID = 0, 1


class Writer:
    def __init__(self, network):
        self.network = network
        self.tensors, self.buffers, self.operators, self.codes = [], [schema.BufferT()], [], []
        self.of_name = {}

    def tensor(self, shape, kind=TYPES.FLOAT32, data=None, variable=False):
        made = schema.TensorT()
        made.shape, made.type, made.name = list(shape), kind, f"t{len(self.tensors)}"
        made.isVariable, made.buffer = variable, 0
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = numpy.frombuffer(numpy.ascontiguousarray(data).tobytes(), numpy.uint8)
            made.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(made)
        return len(self.tensors) - 1

    def constant(self, value):
        value = numpy.asarray(value)
        kind = TYPES.INT32 if value.dtype == numpy.int32 else TYPES.FLOAT32
        return self.tensor(value.shape, kind, value)

    def named(self, name, kind=TYPES.FLOAT32):
        if name not in self.of_name:
            self.of_name[name] = self.tensor(self.network.shapes[name], kind)
        return self.of_name[name]

    def kernel(self, value):
        """Weights with the channels of the output first."""
        return self.constant(value)

    def bias(self, value, x, kernel):
        del x, kernel
        return self.constant(value)

    def between(self, shape, x):
        """What an operator makes of `x` for the next one."""
        del x
        return self.tensor(shape)

    def operator(self, name, inputs, shape_or_output, options=None, version=1, outputs=1, **facts):
        """One operator; the output is a name of the network's, or a new tensor of that shape."""
        number = getattr(OPERATORS, name)
        if (number, version) not in self.codes:
            self.codes.append((number, version))
        made = schema.OperatorT()
        made.opcodeIndex, made.inputs = self.codes.index((number, version)), inputs
        if options is not None:
            made.builtinOptionsType = getattr(OPTIONS, options)
            made.builtinOptions = getattr(schema, options + "T")()
            for key, value in facts.items():
                setattr(made.builtinOptions, key, value)
        if isinstance(shape_or_output, str):
            made.outputs = [self.named(shape_or_output)]
        else:
            made.outputs = [self.between(shape_or_output, inputs[0]) for _ in range(outputs)]
        self.operators.append(made)
        return made.outputs[0] if outputs == 1 else made.outputs

    def padded(self, x, pads, fill):
        """(tensor, padding): PAD before the operator where it is not what SAME means."""
        shape = self.tensors[x].shape
        table = numpy.array([[0, 0], *pads, [0, 0]], numpy.int32)
        wide = [extent + sum(pad) for extent, pad in zip(shape, table.tolist())]
        inputs = [x, self.constant(table)]
        if fill == 0:
            return self.operator("PAD", inputs, wide, "PadOptions")
        return self.operator("PADV2", [*inputs, self.constant(numpy.float32(fill))], wide,
                             "PadV2Options")

    def conv(self, o):
        x = self.named(o["inputs"][0])
        shape, (height, width) = self.tensors[x].shape, o["stride"]
        from networks import same_pads
        same = tuple(same_pads(extent, k, s) for extent, k, s in
                     zip(shape[1:3], o["kernel"].shape[:2], o["stride"]))
        padding = SAME
        if tuple(map(tuple, o["pads"])) != same:
            x, padding = self.padded(x, o["pads"], 0), VALID
        out = o["kernel"].shape[3]
        bias = o["bias"] if o["bias"] is not None else numpy.zeros(out, numpy.float32)
        facts = dict(padding=padding, strideH=height, strideW=width, dilationHFactor=1,
                     dilationWFactor=1, fusedActivationFunction=ACTIVATIONS[o["act"]])
        if o["depthwise"]:
            kernel = self.kernel(o["kernel"].transpose(2, 0, 1, 3))
            self.operator("DEPTHWISE_CONV_2D", [x, kernel, self.bias(bias, x, kernel)], o["output"],
                          "DepthwiseConv2DOptions", depthMultiplier=1, **facts)
        else:
            kernel = self.kernel(o["kernel"].transpose(3, 0, 1, 2))
            self.operator("CONV_2D", [x, kernel, self.bias(bias, x, kernel)], o["output"],
                          "Conv2DOptions", **facts)

    def maxpool(self, o):
        x = self.padded(self.named(o["inputs"][0]), o["pads"], numpy.finfo(numpy.float32).min)
        self.operator("MAX_POOL_2D", [x], o["output"], "Pool2DOptions", padding=VALID,
                      strideW=o["stride"], strideH=o["stride"], filterWidth=o["size"],
                      filterHeight=o["size"])

    def mean(self, o):
        axes = self.constant(numpy.array([1, 2], numpy.int32))
        self.operator("MEAN", [self.named(o["inputs"][0]), axes], o["output"], "ReducerOptions")

    def dense(self, o):
        x, kernel = self.named(o["inputs"][0]), self.kernel(o["kernel"].T)
        inputs = [x, kernel, self.bias(o["bias"], x, kernel) if o["bias"] is not None else -1]
        self.operator("FULLY_CONNECTED", inputs, o["output"], "FullyConnectedOptions",
                      fusedActivationFunction=ACTIVATIONS[o["act"]])

    def add(self, o):
        self.operator("ADD", [self.named(name) for name in o["inputs"]], o["output"], "AddOptions",
                      fusedActivationFunction=ACTIVATIONS[o["act"]])

    def softmax(self, o):
        self.operator("SOFTMAX", [self.named(o["inputs"][0])], o["output"], "SoftmaxOptions",
                      beta=1.0)

    def gelu(self, o):
        self.operator("GELU", [self.named(o["inputs"][0])], o["output"], "GeluOptions",
                      approximate=False)

    def layer_norm(self, o):
        x, shape = self.named(o["inputs"][0]), self.network.shapes[o["output"]]
        axis, one = self.constant(numpy.array([-1], numpy.int32)), [*shape[:-1], 1]
        mean = self.operator("MEAN", [x, axis], one, "ReducerOptions", keepDims=True)
        squares = self.operator("SQUARED_DIFFERENCE", [x, mean], shape, "SquaredDifferenceOptions")
        variance = self.operator("MEAN", [squares, axis], one, "ReducerOptions", keepDims=True)
        variance = self.operator("ADD", [variance, self.constant(numpy.float32(1e-5))], one,
                                 "AddOptions")
        rate = self.operator("RSQRT", [variance], one)
        centred = self.operator("SUB", [x, mean], shape, "SubOptions")
        y = self.operator("MUL", [centred, rate], shape, "MulOptions")
        y = self.operator("MUL", [y, self.constant(o["scale"])], shape, "MulOptions")
        self.operator("ADD", [y, self.constant(o["offset"])], o["output"], "AddOptions")

    def embed(self, o):
        shape = self.network.shapes[o["output"]]
        tokens = self.named(o["inputs"][0], TYPES.INT32)
        x = self.operator("GATHER", [self.constant(o["table"]), tokens], shape, "GatherOptions")
        self.operator("ADD", [x, self.constant(o["positions"])], o["output"], "AddOptions")

    def attention(self, o):
        length, width = self.network.shapes[o["output"]]
        heads, size = o["heads"], width // o["heads"]
        parts = self.operator("SPLIT", [self.constant(numpy.int32(1)), self.named(o["inputs"][0])],
                              [length, width], "SplitOptions", outputs=3, numSplits=3)

        def by_head(x):
            shape = self.constant(numpy.array([length, heads, size], numpy.int32))
            order = self.constant(numpy.array([1, 0, 2], numpy.int32))
            x = self.operator("RESHAPE", [x, shape], [length, heads, size], "ReshapeOptions",
                              newShape=[length, heads, size])
            return self.operator("TRANSPOSE", [x, order], [heads, length, size],
                                 "TransposeOptions")
        q, k, v = map(by_head, parts)
        square = [heads, length, length]
        scores = self.operator("BATCH_MATMUL", [q, k], square, "BatchMatMulOptions", adjY=True)
        scores = self.operator("MUL", [scores, self.constant(numpy.float32(size ** -0.5))], square,
                               "MulOptions")
        scores = self.operator("ADD", [scores, self.constant(o["mask"])], square, "AddOptions")
        scores = self.operator("SOFTMAX", [scores], square, "SoftmaxOptions", beta=1.0)
        y = self.operator("BATCH_MATMUL", [scores, v], [heads, length, size], "BatchMatMulOptions")
        order = self.constant(numpy.array([1, 0, 2], numpy.int32))
        y = self.operator("TRANSPOSE", [y, order], [length, heads, size], "TransposeOptions")
        shape = self.constant(numpy.array([length, width], numpy.int32))
        self.operator("RESHAPE", [y, shape], o["output"], "ReshapeOptions",
                      newShape=[length, width])

    def mean_square(self, o):
        a, b = (self.named(name) for name in o["inputs"])
        shape = self.network.shapes[o["inputs"][0]]
        squares = self.operator("SQUARED_DIFFERENCE", [a, b], shape, "SquaredDifferenceOptions")
        axis = self.constant(numpy.array([-1], numpy.int32))
        self.operator("MEAN", [squares, axis], o["output"], "ReducerOptions", keepDims=False)

    def lstm(self, o):
        """The fused operator: input, forget, cell, output, each with matrices of its own."""
        steps, _, features = self.network.shapes[o["inputs"][0]]
        h = o["hidden"]
        order = (0, 2, 1, 3)  # of the four gates as the network keeps them: i, c, f, o

        def gates(matrix):
            parts = numpy.split(matrix, 4, axis=-1)
            return [self.constant(parts[at].T) for at in order]
        state = [self.tensor([1, h], variable=True) for _ in range(2)]
        inputs = [self.named(o["inputs"][0]), *gates(o["kernel"]), *gates(o["recurrent"]),
                  -1, -1, -1, *gates(o["bias"]), -1, -1, *state, -1, -1, -1, -1]
        y = self.operator("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [steps, 1, h],
                          "UnidirectionalSequenceLSTMOptions", fusedActivationFunction=4,
                          timeMajor=True)
        begin, size = (self.constant(numpy.array(v, numpy.int32)) for v in ([steps - 1, 0, 0],
                                                                           [1, 1, h]))
        y = self.operator("SLICE", [y, begin, size], [1, 1, h], "SliceOptions")
        shape = self.constant(numpy.array([1, h], numpy.int32))
        self.operator("RESHAPE", [y, shape], o["output"], "ReshapeOptions", newShape=[1, h])


class QuantisedWriter(Writer):
    """int8 activations of one scale; times do not depend on it."""
    SCALE, ZERO = 0.05, -10

    def quantised(self, tensor, scales, zeros, axis=0):
        facts = schema.QuantizationParametersT()
        facts.scale, facts.zeroPoint, facts.quantizedDimension = scales, zeros, axis
        self.tensors[tensor].quantization = facts
        return tensor

    def between(self, shape, x):
        facts = self.tensors[x].quantization
        return self.quantised(self.tensor(shape, TYPES.INT8), facts.scale, facts.zeroPoint)

    def named(self, name, kind=TYPES.INT8):
        del kind
        if name not in self.of_name:
            made = self.tensor(self.network.shapes[name], TYPES.INT8)
            self.of_name[name] = self.quantised(made, [self.SCALE], [self.ZERO])
        return self.of_name[name]

    def kernel(self, value):
        depthwise = value.ndim == 4 and value.shape[0] == 1
        axis = 3 if depthwise else 0
        others = tuple(n for n in range(value.ndim) if n != axis)
        scales = numpy.abs(value).max(axis=others) / 127
        shape = [-1 if n == axis else 1 for n in range(value.ndim)]
        data = numpy.round(value / scales.reshape(shape)).astype(numpy.int8)
        made = self.tensor(value.shape, TYPES.INT8, data)
        return self.quantised(made, scales.tolist(), [0] * len(scales), axis)

    def bias(self, value, x, kernel):
        scales = numpy.array(self.tensors[kernel].quantization.scale) * self.SCALE
        made = self.tensor(value.shape, TYPES.INT32,
                           numpy.round(value / scales).astype(numpy.int32))
        return self.quantised(made, scales.tolist(), [0] * len(scales))

    def softmax(self, o):
        super().softmax(o)
        self.quantised(self.named(o["output"]), [1 / 256], [-128])


def write(network, path):
    writer = (QuantisedWriter if network.is_int8 else Writer)(network)
    inputs = [writer.named(name, TYPES.INT32 if value.dtype == numpy.int32 else TYPES.FLOAT32)
              for name, value in network.inputs]
    for operation in network.operations:
        getattr(writer, operation["kind"])(operation)
    graph = schema.SubGraphT()
    graph.tensors, graph.operators, graph.name = writer.tensors, writer.operators, "main"
    graph.inputs, graph.outputs = inputs, [writer.named(name) for name in network.outputs]
    model = schema.ModelT()
    model.version, model.subgraphs, model.buffers = 3, [graph], writer.buffers
    model.operatorCodes = []
    for number, version in writer.codes:
        code = schema.OperatorCodeT()
        code.builtinCode, code.deprecatedBuiltinCode = number, min(number, 127)
        code.version = version
        model.operatorCodes.append(code)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    with open(path, "wb") as file:
        file.write(builder.Output())
