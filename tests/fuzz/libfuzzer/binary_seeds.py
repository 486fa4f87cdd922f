"""binary_seeds.py FOLDER: seeds of formats in bytes that no model of tests/data has: tensors in
fields of their own type, packed and sparse ones, activations of cells, open sizes (ONNX); sparse
weights, signatures, data behind the tables (TensorFlow Lite); archives and models of every format
for the reader of them all. They are kept in seeds/; this made them. Needs onnx and tflite-micro
(each half runs where its package is)."""
import io
import pathlib
import sys
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tflite"))
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"


def onnx_seeds():
    import onnx
    from onnx import TensorProto, helper
    numbers = {
        "FLOAT": [1.5, -2], "DOUBLE": [1.5, -2], "COMPLEX64": [1, 2, 3, 4],
        "COMPLEX128": [1, 2, 3, 4], "INT64": [-1, 2], "UINT64": [1, 2], "UINT32": [1, 2],
        "INT32": [-1, 2], "INT16": [-1, 2], "INT8": [-1, 2], "UINT8": [1, 2], "UINT16": [1, 2],
        "BOOL": [True, False], "FLOAT16": [1.5, -2], "BFLOAT16": [1.5, -2], "INT4": [-1, 2, 3],
        "UINT4": [1, 2, 3], "FLOAT8E4M3FN": [1, 2]
    }
    for raw in (False, True):
        nodes, results = [], []
        constants = []
        for name, values in numbers.items():
            kind = getattr(TensorProto, name)
            count = len(values) // 2 if name.startswith("COMPLEX") else len(values)
            if raw and name not in ("INT4", "UINT4", "FLOAT16"): continue
            if name.startswith("COMPLEX"):
                tensor = TensorProto(name=f"c{name}", data_type=kind, dims=[count])
                (tensor.float_data if kind == TensorProto.COMPLEX64 else
                 tensor.double_data).extend(values)
            else:
                data = b"\x21\x03" if raw else values
                if raw and name == "FLOAT16": data, count = b"\x00\x3c\x00\x40", 2
                tensor = helper.make_tensor(f"c{name}", kind, [count], data, raw=raw)
            constants.append(tensor)
            nodes.append(helper.make_node("Identity", [tensor.name], [f"y{name}"]))
            results.append(helper.make_tensor_value_info(f"y{name}", kind, [count]))
        yield f"tensors_{'raw' if raw else 'typed'}", nodes, [], results, constants, {}
    values = helper.make_tensor("s", TensorProto.FLOAT, [2], [1, 2])
    for name, places in (("flat", [1, 5]), ("rows", [0, 1, 1, 2])):
        dims = [2] if name == "flat" else [2, 2]
        sparse = helper.make_sparse_tensor(
            values, helper.make_tensor("i", TensorProto.INT64, dims, places), [2, 3])
        node = helper.make_node("Constant", [], ["y"], sparse_value=sparse)
        result = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
        yield f"sparse_{name}", [node], [], [result], [], {}
        yield f"sparse_constant_{name}", [helper.make_node("Identity", ["s"], ["y"])], [], [
            result
        ], [], {"sparse_initializer": [sparse]}
    curves = ("Affine Elu HardSigmoid LeakyRelu Relu ScaledTanh Sigmoid Softplus Softsign Tanh "
              "ThresholdedRelu").split()
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 1, 2])]
    weights = [
        helper.make_tensor(n, TensorProto.FLOAT, [1, 2, 2], [0.5, 1, -1, 0.25]) for n in "wr"
    ]
    nodes = [
        helper.make_node("RNN", ["x", "w", "r"], [f"y{c}"],
                         hidden_size=2,
                         activations=[c],
                         activation_alpha=[0.5],
                         activation_beta=[0.25]) for c in curves
    ]
    results = [
        helper.make_tensor_value_info(f"y{c}", TensorProto.FLOAT, [2, 1, 1, 2]) for c in curves
    ]
    yield "activations", nodes, inputs, results, weights, {}
    opened = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", None, 2])]
    yield "open_sizes", [helper.make_node("Neg", ["x"], ["y"])
                         ], opened, [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
                                     ], [], {}


def write_onnx(folder):
    from onnx import helper
    for name, nodes, inputs, results, constants, more in onnx_seeds():
        graph = helper.make_graph(nodes, "g", inputs, results, constants, **more)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
        model.producer_name = ""
        put(folder / "onnx" / name, model.SerializeToString())


def tflite_seeds():
    from model import Model, schema
    for name in ("rows", "blocks", "dense", "wrong"):
        model = Model()
        graph = model.graph()
        x = graph.input("f32", [2, 4])
        w = graph.tensor("f32", [4, 4], data=[[1, 2, 3, 4]] * 4)
        sparsity = schema.SparsityParametersT()
        sparsity.traversalOrder, sparsity.blockMap = [0, 1], []
        rows = level(schema, size=4)
        columns = level(schema, segments=[0, 1, 2, 3, 4], indices=[0, 2, 1, 3])
        sparsity.dimMetadata = [rows, columns]
        if name == "blocks":
            sparsity.traversalOrder, sparsity.blockMap = [0, 1, 2, 3], [0, 1]
            sparsity.dimMetadata = [
                level(schema, size=2), level(schema, segments=[0, 1, 2], indices=[0, 1]),
                level(schema, size=2), level(schema, size=2)
            ]
        if name == "dense": sparsity.dimMetadata = [rows, level(schema, size=4)]
        if name == "wrong": sparsity.traversalOrder = [1, 1]
        graph.graph.tensors[w].sparsity = sparsity
        b = graph.constant("f32", [0, 0, 0, 0])
        y = graph.op("FULLY_CONNECTED", [x, w, b], ("f32", [2, 4]))
        graph.output(y)
        model.signature("serving_default", 0, {"x": x}, {"y": y})
        if name == "dense": model.signature("second", 0, {"a": x}, {"b": y})
        yield f"sparse_{name}", model.bytes()
    model = Model()
    graph = model.graph()
    x = graph.input("f32", [1, 3], name="x")
    graph.graph.tensors[x].shapeSignature = [-1, 3]
    c = graph.tensor("f32", [3], name="c")
    buffer = schema.BufferT()
    buffer.offset, buffer.size = 40, 12
    model.model.buffers.append(buffer)
    graph.graph.tensors[c].buffer = len(model.model.buffers) - 1
    y = graph.op("ADD", [x, c], ("f32", [1, 3]))
    graph.output(y)
    yield "data_elsewhere", model.bytes() + bytes(64)


def level(schema, size=0, segments=None, indices=None):
    made = schema.DimensionMetadataT()
    made.format, made.denseSize = (0, size) if segments is None else (1, 0)
    if segments is not None:
        made.arraySegmentsType, made.arrayIndicesType = 3, 2
        made.arraySegments, made.arrayIndices = schema.Uint8VectorT(), schema.Uint16VectorT()
        made.arraySegments.values, made.arrayIndices.values = segments, indices
    return made


def write_snapshots(folder):
    models = {
        "a.tflite": (DATA / "tflite/sqrt_f32.tflite").read_bytes(),
        "b.onnx": (DATA / "onnx/sqrt.onnx").read_bytes(),
        "c.mlir": (DATA / "stablehlo/text_dimension_size.mlir").read_bytes()
    }
    for name, content in models.items(): put(folder / "snapshot" / name, content)
    inner = zipped({"a.tflite": models["a.tflite"]})
    put(folder / "snapshot/one.zip", inner)
    put(folder / "snapshot/two.zip", zipped({"a.tflite": b"", "b.tflite": b""}))
    put(folder / "snapshot/none.zip", zipped({"readme": b"x"}))
    put(folder / "snapshot/nested.zip", zipped({"m.task": zipped({"n.task": inner})}))
    put(folder / "snapshot/no_hlo", b"HloModul m\nENTRY main { ROOT x = parameter(0) }")
    put(folder / "snapshot/words", b"a text of no format\n")
    put(folder / "snapshot/graph", b"node { name: \"x\" op: \"Placeholder\" }\n")
    put(folder / "snapshot/array", b"\x93NUMPY\x01\x00\x02\x00{}")
    put(folder / "snapshot/gz", b"\x1f\x8b\x08\x00\x00\x00\x00\x00")
    put(folder / "snapshot/elf", b"\x7fELF\x01\x01\x01")
    put(folder / "snapshot/hdf5", b"\x89HDF\r\n\x1a\n")
    put(folder / "snapshot/tar", b"m.onnx".ljust(257, b"\0") + b"ustar\x0000" + bytes(248))
    put(folder / "snapshot/bytecode", b"ML\xefR\x0d\x01")


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def put(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def main():
    folder = pathlib.Path(sys.argv[1])
    write_snapshots(folder)
    try:
        write_onnx(folder)
    except ModuleNotFoundError as missing:
        print(f"no seeds of ONNX: {missing}")
    try:
        for name, content in tflite_seeds(): put(folder / "tflite" / name, content)
    except ModuleNotFoundError as missing:
        print(f"no seeds of TensorFlow Lite: {missing}")


if __name__ == "__main__":
    main()
