"""Writes the models of tests/data/onnx and what ONNX Runtime makes of them:

    python3 -m venv VENV && VENV/bin/pip install onnx==1.18.0 onnxruntime==1.32.0
    VENV/bin/python tests/onnx/make.py [NAME...]

NAME.onnx is the model; NAME.values has the arguments and then the results, as bytes. Rows of
cases.py are models in few words. What ONNX Runtime lacks the `onnx` package's reference evaluator
computes: a line says which."""
import pathlib
import re
import sys
import zlib

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

import cases
import cases_bad

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "onnx"
TYPES = {
    "f32": "float", "f64": "double", "f16": "float16", "i8": "int8", "u8": "uint8", "i16": "int16",
    "u16": "uint16", "i32": "int32", "i64": "int64", "u32": "uint32", "u64": "uint64",
    "bool": "bool"
}
NUMPY = {"float": "float32", "double": "float64", "bool": "bool_"}


class Value:
    """`x f32[2,3]`, `w f32[2,3]*` (a weight), `k i64[1] = 5` (a weight of these values), `x u8[4]
    in 1..3`."""

    def __init__(self, text, random):
        head, has_values, values = text.partition(" =")
        head, _, bounds = head.partition(" in ")
        self.name, kind = head.split(" ")
        self.is_weight = kind.endswith("*") or bool(has_values)
        kind, sizes = re.fullmatch(r"(\w+)(?:\[([\d,]*)\])?\*?", kind).groups()
        self.kind = TYPES[kind]
        self.sizes = [int(size) for size in sizes.split(",")] if sizes else []
        dtype = numpy.dtype(NUMPY.get(self.kind, self.kind))
        if has_values:
            self.value = numpy.array([float(v)
                                      for v in values.split(",")
                                      if v.strip()]).astype(dtype).reshape(self.sizes)
            return
        low, high = (float(b) for b in bounds.split("..")) if bounds else \
            (-2, 2) if dtype.kind == "f" else (0, 1) if dtype.kind == "b" else \
            (numpy.iinfo(dtype).min, numpy.iinfo(dtype).max) if dtype.itemsize == 1 else (-50 if dtype.kind == "i" else 0, 50)
        if dtype.kind == "f":
            self.value = random.uniform(low, high, self.sizes).astype(dtype)
        else:
            self.value = random.integers(int(low), int(high), self.sizes,
                                         endpoint=True).astype(dtype)
        self.value = numpy.asarray(self.value, dtype).reshape(self.sizes)


def model_of(values, body, opset):
    sizes = lambda v: f"[{','.join(map(str, v.sizes))}]" if v.sizes else ""
    inputs = ", ".join(f"{v.kind}{sizes(v)} {v.name}" for v in values if not v.is_weight)
    outputs = [name for name in re.findall(r"\b(y\d*)\b", body.split("\n//")[0])]
    outputs = sorted(set(outputs), key=outputs.index)
    domains = ', "local" : 1' if "local." in body else ""
    ir = 8 if opset < 19 else 9 if opset < 21 else 10 if opset < 23 else 11
    main, *functions = body.split("\n//")
    results = ", ".join("float " + o for o in outputs)
    text = f'<ir_version: {ir}, opset_import: ["" : {opset}{domains}]>\n' \
           f'model ({inputs}) => ({results}) {{ {main} }}' + "".join(functions)
    model = onnx.parser.parse_model(text)
    for v in values:
        if v.is_weight:
            model.graph.initializer.append(numpy_helper.from_array(v.value, v.name))
    del model.graph.output[:]
    for name in outputs:
        model.graph.output.append(onnx.ValueInfoProto(name=name))
    return model, outputs


def run(model, arguments):
    """The results, and by whom."""
    try:
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        session = onnxruntime.InferenceSession(model.SerializeToString(),
                                               options,
                                               providers=["CPUExecutionProvider"])
        return session.run(None, arguments), "onnxruntime"
    except Exception as why:
        if "--why" in sys.argv:
            print(why)
        return ReferenceEvaluator(model).run(None, arguments), "reference"


def make(name, row):
    values, body, opset = row
    random = numpy.random.default_rng(zlib.crc32(name.encode()))
    values = [Value(text.strip(), random) for text in values.split(";") if text.strip()]
    model, outputs = model_of(values, body, opset)
    arguments = {v.name: v.value for v in values if not v.is_weight}
    results, peer = run(model, arguments)
    results = [numpy.asarray(result) for result in results]
    del model.graph.output[:]
    for output, result in zip(outputs, results):
        model.graph.output.append(
            helper.make_tensor_value_info(output, helper.np_dtype_to_tensor_dtype(result.dtype),
                                          result.shape))
    onnx.checker.check_model(model)
    if peer != "onnxruntime":
        print(f"{name}: by the {peer} evaluator")
    (DATA / f"{name}.onnx").write_bytes(model.SerializeToString())
    (DATA / f"{name}.values").write_bytes(b"".join(
        numpy.ascontiguousarray(v).tobytes() for v in [*arguments.values(), *results]))


def make_bad():
    """bad/NAME.onnx, and in bad/errors.txt a line each: the name and a part of the diagnostic."""
    (DATA / "bad").mkdir(parents=True, exist_ok=True)
    for path in (DATA / "bad").glob("*"):
        path.unlink()
    lines = []
    for name, change in sorted(vars(cases_bad).items()):
        if not name.startswith("bad_"):
            continue
        model, _ = model_of([
            Value(text, numpy.random.default_rng(1))
            for text in ("x f32[1,2,4,4]", "w f32[3,2,3,3]*", "b f32[3]*")
        ], "t = Conv <pads = [1, 1, 1, 1]> (x, w, b)\ny = Relu (t)", 17)
        model.graph.output[0].CopyFrom(
            helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [1, 3, 4, 4]))
        model.graph.node[0].name, model.graph.node[1].name = "conv", "relu"
        part = change(model)
        content = model.SerializeToString()
        if isinstance(part, tuple):
            content, part = part
        lines.append(f"{name[4:]} {part}")
        (DATA / "bad" / f"{name[4:]}.onnx").write_bytes(content)
    (DATA / "bad" / "errors.txt").write_text("\n".join(lines) + "\n")


def make_open():
    """open/: what a user must decide, and data beside the model."""
    folder = DATA / "open"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "external.bin").unlink(missing_ok=True)  # to which onnx.save would append
    random = numpy.random.default_rng(3)
    weights = numpy_helper.from_array(random.uniform(-1, 1, (3, 2)).astype(numpy.float32), "w")
    x, y = (helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, ["batch", size])
            for name, size in (("x", 3), ("y", 2)))
    opsets = [helper.make_opsetid("", 17)]
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x], [y],
                              [weights])
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), folder / "batch.onnx")
    graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8),
              folder / "minus_one.onnx")
    shape = helper.make_tensor_value_info("shape", onnx.TensorProto.INT64, [2])
    fixed = helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [6])
    graph = helper.make_graph([helper.make_node("Reshape", ["x", "shape"], ["y"])], "g",
                              [fixed, shape], [onnx.ValueInfoProto(name="y")])
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), folder / "shape.onnx")
    x.type.tensor_type.shape.dim[0].dim_value = 1
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "g", [x],
                              [onnx.ValueInfoProto(name="y")], [weights])
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8),
              folder / "external.onnx",
              save_as_external_data=True,
              location="external.bin",
              size_threshold=0)


def main():
    DATA.mkdir(parents=True, exist_ok=True)
    wanted = [word for word in sys.argv[1:] if not word.startswith("-")]
    if not wanted:
        make_bad()
        make_open()
        for path in DATA.glob("*.*"):
            path.unlink()
    failed = 0
    for name, row in cases.CASES.items():
        if wanted and name not in wanted:
            continue
        try:
            make(name, row)
        except Exception as why:
            failed += 1
            print(f"{name}: {type(why).__name__}: {str(why)[:300]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
