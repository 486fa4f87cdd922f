"""A TensorFlow Lite model of one subgraph or several, written operator by operator. The schema's
classes come with tflite-micro (`pip install tflite-micro`)."""
import re

import flatbuffers
import numpy
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

TYPES = {
    "f32": (schema.TensorType.FLOAT32, numpy.float32), "f16": (schema.TensorType.FLOAT16,
                                                               numpy.float16),
    "s8": (schema.TensorType.INT8, numpy.int8), "s16": (schema.TensorType.INT16, numpy.int16),
    "s32": (schema.TensorType.INT32, numpy.int32), "s64": (schema.TensorType.INT64, numpy.int64),
    "u64": (schema.TensorType.UINT64, numpy.uint64), "u8": (schema.TensorType.UINT8, numpy.uint8),
    "pred": (schema.TensorType.BOOL, numpy.bool_), "u32": (schema.TensorType.UINT32, numpy.uint32),
    "u16": (schema.TensorType.UINT16, numpy.uint16), "s4": (schema.TensorType.INT4, numpy.int8),
    "resource": (schema.TensorType.RESOURCE, numpy.int32)
}
# Structs of options whose names are not the operator's in camel case.
OPTIONS = {
    "AVERAGE_POOL_2D": "Pool2DOptions", "MAX_POOL_2D": "Pool2DOptions",
    "L2_POOL_2D": "Pool2DOptions", "CONV_2D": "Conv2DOptions",
    "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions", "SVDF": "SVDFOptions", "MEAN": "ReducerOptions",
    "SUM": "ReducerOptions", "REDUCE_MAX": "ReducerOptions", "REDUCE_MIN": "ReducerOptions",
    "REDUCE_PROD": "ReducerOptions", "REDUCE_ANY": "ReducerOptions", "REDUCE_ALL": "ReducerOptions",
    "L2_NORMALIZATION": "L2NormOptions", "BATCH_MATMUL": "BatchMatMulOptions",
    "UNIDIRECTIONAL_SEQUENCE_LSTM": "UnidirectionalSequenceLSTMOptions", "PADV2": "PadV2Options",
    "SPACE_TO_BATCH_ND": "SpaceToBatchNDOptions", "BATCH_TO_SPACE_ND": "BatchToSpaceNDOptions",
    "MAXIMUM": "MaximumMinimumOptions", "MINIMUM": "MaximumMinimumOptions",
    "TOPK_V2": "TopKV2Options"
}


def options_of(name):
    made = OPTIONS.get(name, "".join(part.capitalize() for part in re.split("_", name)) + "Options")
    return made if hasattr(schema, made + "T") else None


class Graph:
    def __init__(self, model, name):
        self.model, self.graph = model, schema.SubGraphT()
        self.graph.name = name
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []

    def tensor(self,
               kind,
               shape,
               scale=None,
               zero=0,
               data=None,
               dimension=0,
               name=None,
               variable=False):
        """`scale`: a number, or one a channel along `dimension`."""
        made = schema.TensorT()
        made.shape, made.type, made.isVariable = list(shape), TYPES[kind][0], variable
        made.name, made.buffer = name or f"t{len(self.graph.tensors)}", 0
        if data is not None:
            made.buffer = self.model.buffer(
                kind, numpy.broadcast_to(numpy.asarray(data, TYPES[kind][1]), shape))
        if scale is not None:
            made.quantization = schema.QuantizationParametersT()
            made.quantization.scale = [float(s) for s in numpy.atleast_1d(scale)]
            made.quantization.zeroPoint = [
                int(z) for z in numpy.broadcast_to(zero, len(made.quantization.scale))
            ]
            made.quantization.quantizedDimension = dimension
        self.graph.tensors.append(made)
        return len(self.graph.tensors) - 1

    def input(self, kind, shape, scale=None, zero=0, **more):
        self.graph.inputs.append(self.tensor(kind, shape, scale, zero, **more))
        return self.graph.inputs[-1]

    def constant(self, kind, data, scale=None, zero=0, **more):
        data = numpy.asarray(data)
        return self.tensor(kind, data.shape, scale, zero, data=data, **more)

    def op(self, name, inputs, *outputs, version=1, custom=None, **options):
        """`outputs`: tensors, or (kind, shape, scale, zero) of new ones; gives the first."""
        made = schema.OperatorT()
        made.opcodeIndex = self.model.code("CUSTOM" if custom is not None else name, version, name)
        outputs = [self.tensor(*one) if isinstance(one, tuple) else one for one in outputs]
        made.inputs, made.outputs = list(inputs), outputs
        if custom is not None:
            made.customOptions = list(custom)
        elif options_of(name):
            kind = options_of(name)
            made.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
            made.builtinOptions = getattr(schema, kind + "T")()
            for key, value in options.items():
                assert hasattr(made.builtinOptions, key), f"{kind} has no {key}"
                setattr(made.builtinOptions, key, value)
        self.graph.operators.append(made)
        return outputs[0] if outputs else None

    def output(self, *tensors):
        self.graph.outputs.extend(tensors)


class Model:
    def __init__(self):
        self.model = schema.ModelT()
        self.model.version, self.model.description = 3, ""
        empty = schema.BufferT()
        self.model.buffers, self.model.operatorCodes, self.model.subgraphs = [empty], [], []
        self.codes, self.graphs = {}, []

    def graph(self, name="main"):
        made = Graph(self, name)
        self.graphs.append(made)
        self.model.subgraphs.append(made.graph)
        return made

    def buffer(self, kind, data):
        raw = numpy.ascontiguousarray(data)
        if kind == "s4":
            nibbles = numpy.append(raw.reshape(-1), [0] * (raw.size % 2)).astype(numpy.uint8) & 15
            raw = nibbles[0::2] | nibbles[1::2] << 4
        made = schema.BufferT()
        made.data = numpy.frombuffer(raw.tobytes(), numpy.uint8)
        self.model.buffers.append(made)
        return len(self.model.buffers) - 1

    def code(self, name, version, custom):
        key = (name, version, custom if name == "CUSTOM" else None)
        if key not in self.codes:
            made = schema.OperatorCodeT()
            number = getattr(schema.BuiltinOperator, name)
            made.builtinCode, made.deprecatedBuiltinCode, made.version = number, min(number,
                                                                                     127), version
            if name == "CUSTOM":
                made.customCode = custom
            self.codes[key] = len(self.model.operatorCodes)
            self.model.operatorCodes.append(made)
        return self.codes[key]

    def signature(self, key, subgraph, inputs, outputs):
        made = schema.SignatureDefT()
        made.signatureKey, made.subgraphIndex = key, subgraph
        made.inputs, made.outputs = ([self.named(*one)
                                      for one in names.items()]
                                     for names in (inputs, outputs))
        self.model.signatureDefs = (self.model.signatureDefs or []) + [made]

    @staticmethod
    def named(name, tensor):
        made = schema.TensorMapT()
        made.name, made.tensorIndex = name, tensor
        return made

    def bytes(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())
