"""vulkan_peers.py: milliseconds of one inference on a Vulkan device, beside IREE's Vulkan backend.

    python3 -m venv VENV && VENV/bin/pip install jax==0.10.2 iree-base-compiler iree-base-runtime
    VENV/bin/python bench/vulkan_peers.py --hlocc build/hlocc MODEL.snapshot.pb...

Each module goes to IREE as the StableHLO that jaxlib makes of it, and IREE runs it on zeros. On
lavapipe, whose device is the processor, this is a sanity check of launches and waits, and says
nothing about a GPU. Of a model that does not compile or run that is said.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import snapshot

SCALE = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}


def module_of(path):
    """The serialized HloModuleProto of an HloSnapshot."""
    hlo = next(value for key, value in snapshot.fields(path.read_bytes()) if key == 1)
    return next(value for key, value in snapshot.fields(hlo) if key == 1)


def to_stablehlo(module):
    import jaxlib._jax as xla
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    with mlir.make_ir_context():
        parsed = ir.Module.parse(xla.mlir.hlo_to_stablehlo(module))
        return parsed.operation.get_asm(large_elements_limit=None, use_local_scope=True)


def inputs_of(text):
    """Of @main, as iree-benchmark-module takes them."""
    header = re.search(r"func\.func (?:public |private )?@main\((.*?)\) ->", text, re.S).group(1)
    return [f"--input={kind}=0" for kind in re.findall(r"tensor<([^>]*)>", header)]


def iree_ms(text, folder):
    source, program = folder / "model.mlir", folder / "model.vmfb"
    source.write_text(text)
    tools = pathlib.Path(sys.executable).parent
    made = subprocess.run([
        tools / "iree-compile", "--iree-input-type=stablehlo",
        "--iree-hal-target-device=vulkan", source, "-o", program
    ], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        return "does not compile"
    ran = subprocess.run([
        tools / "iree-benchmark-module", f"--module={program}", "--device=vulkan",
        "--function=main", "--benchmark_repetitions=3", "--benchmark_min_warmup_time=1",
        *inputs_of(text)
    ], capture_output=True, text=True, check=False)
    times = [float(time) * SCALE[unit]
             for time, unit in re.findall(r"real_time\S*\s+([\d.]+) (ns|us|ms|s)\b", ran.stdout)]
    return f"{min(times):.2f}" if times else "does not run"


def hlocc_ms(hlocc, path):
    ran = subprocess.run([hlocc, "bench", path, "--backend", "vulkan"], capture_output=True,
                         text=True, check=False)
    found = re.search(r"min ([\d.]+) us", ran.stdout)
    return f"{float(found.group(1)) / 1000:.2f}" if found else "does not run"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hlocc", type=pathlib.Path, required=True)
    parser.add_argument("models", type=pathlib.Path, nargs="+")
    given = parser.parse_args()
    print("| model | hlocc, ms | IREE, ms |\n|---|---:|---:|")
    for path in given.models:
        with tempfile.TemporaryDirectory() as folder:
            theirs = iree_ms(to_stablehlo(module_of(path)), pathlib.Path(folder))
        ours = hlocc_ms(given.hlocc, path)
        print(f"| {path.name.removesuffix('.snapshot.pb')} | {ours} | {theirs} |", flush=True)


if __name__ == "__main__":
    main()
