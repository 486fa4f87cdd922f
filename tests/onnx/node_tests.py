"""ONNX's own node tests through hlocc: every case of the `onnx` package, what agrees and what is
refused, by reason.

    python3 -m venv VENV && VENV/bin/pip install onnx==1.18.0
    VENV/bin/python tests/onnx/node_tests.py build/hlocc [--only PART] [--list] [--jobs N]

A case is a model with values of its inputs and outputs. Inputs that decide shapes (the diagnostic
names them) are frozen to the values of the case. Results are held against the case's own by the
package's tolerances. Cases of training, strings, sequences, optional values and maps are left out
of the count. Ends with 1 if a result is wrong, a case crashes, or fewer than 85 % of what counts
agrees."""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
from onnx import numpy_helper
from onnx.backend.test.loader import load_model_tests

warnings.simplefilter("ignore", DeprecationWarning)
LEAST_SHARE = 0.85
# Values of the package that break ONNX's own rule.
WRONG_VALUES = {
    "test_qlinearmatmul_2D_int8_float32": "sums beyond int8 wrap, where QLinearMatMul saturates "
                                          "(ONNX Runtime does, too)",
    "test_qlinearmatmul_3D_int8_float32": "sums beyond int8 wrap, where QLinearMatMul saturates "
                                          "(ONNX Runtime does, too)",
    "test_qlinearmatmul_2D_int8_float16": "sums beyond int8 wrap, where QLinearMatMul saturates "
                                          "(ONNX Runtime does, too)",
    "test_qlinearmatmul_3D_int8_float16": "sums beyond int8 wrap, where QLinearMatMul saturates "
                                          "(ONNX Runtime does, too)",
}
# Of the case's operators, or of the types of its interface.
LEFT_OUT = {
    "training": re.compile(r"^(Adam|Adagrad|Momentum|Gradient)$"),
    "strings": re.compile(r"^(String\w+|RegexFullMatch|TfIdfVectorizer|LabelEncoder)$"),
    "sequences": re.compile(r"^(Sequence\w+|SplitToSequence|ConcatFromSequence)$"),
    "optional values": re.compile(r"^Optional\w*$"),
    "images, which are files": re.compile(r"^ImageDecoder$"),
}


def operators(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g
                          ] if attribute.type == onnx.AttributeProto.GRAPH else attribute.graphs:
                yield from operators(inner)


def left_out(model):
    """Why a case does not count, or None."""
    for info in [*model.graph.input, *model.graph.output]:
        kind = info.type.WhichOneof("value")
        if kind != "tensor_type":
            return {
                "sequence_type": "sequences", "optional_type": "optional values", "map_type": "maps"
            }.get(kind, kind)
        if info.type.tensor_type.elem_type == onnx.TensorProto.STRING:
            return "strings"
    for node in operators(model.graph):
        for why, names in LEFT_OUT.items():
            if names.match(node.op_type):
                return why
    return None


def plain(array):
    """As .npy files for hlocc have it: types that NumPy lacks as integers of their size."""
    of = array.dtype
    if of.kind in "fiubc" and of.name in numpy.sctypeDict and of.isbuiltin == 1:
        return array
    return array.view({1: numpy.uint8, 2: numpy.uint16}[array.dtype.itemsize])


def stored(tensor):
    """The elements of a TensorProto as hlocc takes and gives them, and as numbers."""
    kind = onnx.TensorProto.DataType.Name(tensor.data_type)
    value = numpy_helper.to_array(tensor)
    if kind in ("BFLOAT16", "FLOAT8E4M3FN", "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
                "FLOAT4E2M1", "INT4", "UINT4"):
        width = {"BFLOAT16": numpy.uint16, "INT4": numpy.int8}.get(kind, numpy.uint8)
        if tensor.raw_data and kind not in ("INT4", "UINT4", "FLOAT4E2M1"):
            bits = numpy.frombuffer(tensor.raw_data, width)
        elif kind in ("INT4", "UINT4", "FLOAT4E2M1"):
            packed = numpy.frombuffer(tensor.raw_data,
                                      numpy.uint8) if tensor.raw_data else numpy.array(
                                          tensor.int32_data, numpy.uint8)
            bits = numpy.stack([packed & 15, packed >> 4],
                               -1).reshape(-1)[:int(numpy.prod(tensor.dims))]
            if kind == "INT4":
                bits = ((bits.astype(numpy.int8) ^ 8) - 8).astype(numpy.int8)
        else:
            bits = numpy.array(tensor.int32_data).astype(width)
        return bits.reshape(tuple(tensor.dims))
    return value


def numbers(array, data_type):
    """What the bits of a narrow float stand for."""
    kind = onnx.TensorProto.DataType.Name(data_type)
    if kind == "BFLOAT16":
        return (array.astype(numpy.uint32) << 16).view(numpy.float32)
    if kind.startswith("FLOAT8E4M3"):
        return numpy_helper.float8e4m3_to_float32(array, fn=True,
                                                  uz=kind.endswith("UZ")).reshape(array.shape)
    if kind.startswith("FLOAT8E5M2"):
        fnuz = kind.endswith("UZ")
        return numpy_helper.float8e5m2_to_float32(array, fn=fnuz, uz=fnuz).reshape(array.shape)
    return array


def read_tensor(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return tensor


def run(hlocc, words, folder):
    return subprocess.run([hlocc, *words], cwd=folder, capture_output=True, text=True, timeout=300)


def one_case(hlocc, case):
    folder = pathlib.Path(case.model_dir)
    model = onnx.load(folder / "model.onnx")
    why = left_out(model) or (f"values of the package that are wrong: {WRONG_VALUES[case.name]}"
                              if case.name in WRONG_VALUES else None)
    if why:
        return case.name, "left out", why
    with tempfile.TemporaryDirectory() as place:
        inputs = {}
        names = [one.name for one in model.graph.input]
        for path in sorted((folder / "test_data_set_0").glob("input_*.pb"),
                           key=lambda p: int(p.stem.split("_")[1])):
            number = int(path.stem.split("_")[1])
            numpy.save(f"{place}/in{number}.npy", stored(read_tensor(path)))
            inputs[names[number]] = f"in{number}.npy"
        frozen = []
        while True:
            words = [
                "run",
                str(folder / "model.onnx"), "--backend", "interpreter", "-q", "--output", "out/"
            ]
            for name, file in inputs.items():
                words += ["--freeze" if name in frozen else "--input", f"{name}={file}"]
            done = run(hlocc, words, place)
            asked = re.search(r"--freeze (\S+)=FILE.npy makes it", done.stderr)
            if done.returncode != 1 or not asked or asked[1] not in inputs or asked[1] in frozen:
                break
            frozen.append(asked[1])
        # Where an argument decides a shape by way of others, all small ones of integers may.
        if done.returncode == 1 and "is computed when the model runs" in done.stderr:
            for name, file in inputs.items():
                array = numpy.load(f"{place}/{file}")
                if (array.dtype.kind in "ib" and array.size < 64
                        or array.size == 1) and name not in frozen:
                    frozen.append(name)
            words = [
                "run",
                str(folder / "model.onnx"), "--backend", "interpreter", "-q", "--output", "out/"
            ]
            for name, file in inputs.items():
                words += ["--freeze" if name in frozen else "--input", f"{name}={file}"]
            done = run(hlocc, words, place)
        if done.returncode == 1:
            return case.name, "refused", done.stderr.splitlines()[0].split("error[", 1)[-1]
        if done.returncode != 0:
            return case.name, "crashed", f"exit {done.returncode}: {done.stderr[:300]}"
        files = sorted(pathlib.Path(place, "out").glob("*.npy"))
        return case.name, *compare(model, folder, files, case)


def compare(model, folder, files, case):
    for number, info in enumerate(model.graph.output):
        tensor = read_tensor(folder / "test_data_set_0" / f"output_{number}.pb")
        expected = stored(tensor)
        got = numpy.load(files[number])
        if got.shape != expected.shape or got.dtype.itemsize != expected.dtype.itemsize:
            return "wrong", f"output {number} is {got.dtype}{got.shape}, not {expected.dtype}{expected.shape}"
        if got.dtype != expected.dtype:
            got = got.view(expected.dtype)
        # Some values of bfloat16 stand in the package as integers of 16 bits.
        kind = info.type.tensor_type.elem_type
        got, expected = numbers(got, kind), numbers(expected, kind)
        if expected.dtype.kind == "f":
            # The package's own bfloat16 values are cut and not rounded: one unit in the last place.
            rtol = 2 ** -7 if kind == onnx.TensorProto.BFLOAT16 else max(case.rtol, 1e-3)
            if not numpy.allclose(
                    got, expected, rtol=rtol, atol=max(case.atol, 1e-7), equal_nan=True):
                worst = numpy.nanmax(numpy.abs(got.astype(float) - expected.astype(float)))
                return "wrong", f"output {number} is off by {worst:.3g}"
        elif not numpy.array_equal(got, expected):
            return "wrong", f"{int((got != expected).sum())} of {got.size} elements of output {number} differ"
    return "agrees", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hlocc")
    parser.add_argument("--only", default="", help="cases whose name has this part")
    parser.add_argument("--list",
                        action="store_true",
                        help="a line for each case that does not agree")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    hlocc = str(pathlib.Path(options.hlocc).resolve())
    cases = [case for case in load_model_tests(kind="node") if options.only in case.name]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: one_case(hlocc, case), cases))
    counts = collections.Counter(kind for _, kind, _ in results)
    if options.list:
        for name, kind, why in sorted(results, key=lambda r: (r[1], r[2])):
            if kind != "agrees":
                print(f"{kind:9} {name[5:]}: {why}")
    reasons = collections.Counter(
        f"{kind}: {re.sub(r'^[^:]*: ', '', re.sub(r'graph[^ ]* [(]([^ ]*)[^)]*[)]', r'[1]', why))}"
        for _, kind, why in results
        if kind not in ("agrees", "left out"))
    for why, count in reasons.most_common():
        print(f"{count:5}  {why}")
    for why, count in collections.Counter(why for _, kind, why in results
                                          if kind == "left out").most_common():
        print(f"{count:5}  left out: {why}")
    counted = len(results) - counts["left out"]
    share = counts["agrees"] / max(counted, 1)
    print(
        f"{len(results)} cases, {counted} counted: {counts['agrees']} agree ({share:.1%}), "
        f"{counts['refused']} refused, "
        f"{counts['wrong']} wrong, {counts['crashed']} crashed")
    return 0 if share >= LEAST_SHARE and counts["wrong"] + counts["crashed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
