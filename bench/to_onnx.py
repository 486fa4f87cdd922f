"""Writes a network of networks.py as ONNX, channels first, as exporters from PyTorch do."""
import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20


class Writer:
    def __init__(self, network):
        self.network, self.nodes, self.constants = network, [], []
        self.count = 0

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(value), name))
        return name

    def node(self, kind, inputs, output=None, **attributes):
        if output is None:
            self.count += 1
            output = f"t{self.count}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def activated(self, act, inputs, kind, output, **attributes):
        """`kind`, and what its `act` asks for behind it."""
        if act is None:
            return self.node(kind, inputs, output, **attributes)
        x = self.node(kind, inputs, **attributes)
        if act == "relu":
            return self.node("Relu", [x], output)
        low, high = self.constant(numpy.float32(0)), self.constant(numpy.float32(6))
        return self.node("Clip", [x, low, high], output)

    def conv(self, o):
        kernel = self.constant(o["kernel"].transpose(3, 2, 0, 1))
        inputs = [o["inputs"][0], kernel]
        if o["bias"] is not None:
            inputs.append(self.constant(o["bias"]))
        (top, bottom), (left, right) = o["pads"]
        self.activated(o["act"], inputs, "Conv", o["output"], strides=list(o["stride"]),
                       pads=[top, left, bottom, right],
                       group=o["kernel"].shape[3] if o["depthwise"] else 1)

    def maxpool(self, o):
        (top, bottom), (left, right) = o["pads"]
        self.node("MaxPool", o["inputs"], o["output"], kernel_shape=[o["size"]] * 2,
                  strides=[o["stride"]] * 2, pads=[top, left, bottom, right])

    def mean(self, o):
        x = self.node("GlobalAveragePool", o["inputs"])
        self.node("Flatten", [x], o["output"])

    def dense(self, o):
        inputs = [o["inputs"][0], self.constant(o["kernel"])]
        if o["bias"] is None:
            self.activated(o["act"], inputs, "MatMul", o["output"])
        else:
            self.activated(o["act"], [*inputs, self.constant(o["bias"])], "Gemm", o["output"])

    def add(self, o):
        self.activated(o["act"], o["inputs"], "Add", o["output"])

    def softmax(self, o):
        self.node("Softmax", o["inputs"], o["output"], axis=-1)

    def gelu(self, o):
        self.node("Gelu", o["inputs"], o["output"])

    def tanh(self, o):
        self.node("Tanh", o["inputs"], o["output"])

    def layer_norm(self, o):
        self.node("LayerNormalization",
                  [o["inputs"][0], self.constant(o["scale"]), self.constant(o["offset"])],
                  o["output"], axis=-1, epsilon=1e-5)

    def embed(self, o):
        x = self.node("Gather", [self.constant(o["table"]), o["inputs"][0]])
        self.node("Add", [x, self.constant(o["positions"])], o["output"])

    def attention(self, o):
        length, width = self.network.shapes[o["output"]]
        size = width // o["heads"]
        parts = [f"{o['output']}_{part}" for part in "qkv"]
        self.nodes.append(helper.make_node("Split", o["inputs"], parts, axis=1, num_outputs=3))
        shape = self.constant(numpy.array([length, o["heads"], size], numpy.int64))
        orders = ([1, 0, 2], [1, 2, 0], [1, 0, 2])
        q, k, v = (self.node("Transpose", [self.node("Reshape", [part, shape])], perm=order)
                   for part, order in zip(parts, orders))
        scores = self.node("Mul", [self.node("MatMul", [q, k]),
                                   self.constant(numpy.float32(size ** -0.5))])
        scores = self.node("Add", [scores, self.constant(o["mask"])])
        y = self.node("MatMul", [self.node("Softmax", [scores], axis=-1), v])
        flat = self.constant(numpy.array([length, width], numpy.int64))
        self.node("Reshape", [self.node("Transpose", [y], perm=[1, 0, 2]), flat], o["output"])

    def mean_square(self, o):
        d = self.node("Sub", o["inputs"])
        axes = self.constant(numpy.array([-1], numpy.int64))
        self.node("ReduceMean", [self.node("Mul", [d, d]), axes], o["output"], keepdims=0)

    def lstm(self, o):
        """ONNX wants the gates as i, o, f, c in rows, and the bias of both products."""
        h = o["hidden"]

        def gates(matrix):
            i, g, f, out = numpy.split(matrix, 4, axis=-1)
            return numpy.concatenate([i, out, f, g], axis=-1)
        bias = numpy.concatenate([gates(o["bias"]), numpy.zeros(4 * h, numpy.float32)])[None]
        inputs = [o["inputs"][0], self.constant(gates(o["kernel"]).T[None]),
                  self.constant(gates(o["recurrent"]).T[None]), self.constant(bias)]
        self.nodes.append(helper.make_node("LSTM", inputs, ["", f"{o['output']}_h"],
                                           hidden_size=h))
        shape = self.constant(numpy.array([1, h], numpy.int64))
        self.node("Reshape", [f"{o['output']}_h", shape], o["output"])


def channels_first(shape):
    return [shape[0], shape[3], shape[1], shape[2]] if len(shape) == 4 else shape


def input_values(network):
    """name -> the input as this file's networks take it."""
    return {name: numpy.ascontiguousarray(value.transpose(0, 3, 1, 2)) if value.ndim == 4 else value
            for name, value in network.inputs}


def write(network, path):
    writer = Writer(network)
    for operation in network.operations:
        getattr(writer, operation["kind"])(operation)

    def info(name, kind=TensorProto.FLOAT):
        return helper.make_tensor_value_info(name, kind, channels_first(network.shapes[name]))
    inputs = [info(name, TensorProto.INT32 if value.dtype == numpy.int32 else TensorProto.FLOAT)
              for name, value in network.inputs]
    graph = helper.make_graph(writer.nodes, "network", inputs,
                              [info(name) for name in network.outputs], writer.constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
