"""wide_networks.py [--hlocc HLOCC] [--target T]...: RAM of ResNet-18 and MobileNet-v2 on pictures of
224x224 in f32 (networks.py), as plans come and with --optimize=ram: arena, the row-wise floor,
products and expected cycles, as `hlocc analyze` says. Needs JAX, which writes the HLO."""
import argparse
import json
import os
import subprocess
import tempfile

import jax
import networks
from jax import lax

AROUND = ("NHWC", "HWIO", "NHWC")


def activated(x, act):
    if act is None:
        return x
    return jax.numpy.maximum(x, 0) if act == "relu" else jax.numpy.clip(x, 0, 6)


def conv(o, x):
    channels = x.shape[-1] if o["depthwise"] else 1
    y = lax.conv_general_dilated(x, o["kernel"], o["stride"], o["pads"], dimension_numbers=AROUND,
                                 feature_group_count=channels)
    return activated(y + o["bias"], o["act"])


def maxpool(o, x):
    size, stride = (1, o["size"], o["size"], 1), (1, o["stride"], o["stride"], 1)
    return lax.reduce_window(x, -jax.numpy.inf, lax.max, size, stride,
                             ((0, 0), *o["pads"], (0, 0)))


WRITTEN = {
    "conv": conv, "maxpool": maxpool, "add": lambda o, a, b: activated(a + b, o["act"]),
    "mean": lambda o, x: x.mean((1, 2)),
    "dense": lambda o, x: activated(x @ o["kernel"] + o["bias"], o["act"]),
}


def hlo_of(network):
    def run(x):
        values = {network.inputs[0][0]: x}
        for o in network.operations:
            values[o["output"]] = WRITTEN[o["kind"]](o, *(values[name] for name in o["inputs"]))
        return values[network.outputs[0]]
    lowered = jax.jit(run).lower(network.inputs[0][1])
    return lowered.compiler_ir("hlo").as_serialized_hlo_module_proto()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":", maxsplit=1)[0])
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("--target", action="append")
    options = parser.parse_args()
    print("| network | target | plan | arena | floor | MACs | cycles, expected |")
    print("|---|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "network.pb")
        for name in ("resnet18_224", "mobilenet_v2_224"):
            with open(path, "wb") as file:
                file.write(hlo_of(networks.network(name)))
            for target in options.target or ["cortex-a53"]:
                for plan in ((), ("--optimize=ram",)):
                    text = subprocess.run([options.hlocc, "analyze", path, "--target", target,
                                           "--json", *plan], check=True, capture_output=True).stdout
                    found = json.loads(text)["targets"][0]
                    print(f"| {name} | {target} | {' '.join(plan) or 'as it comes'} "
                          f"| {found['arena_bytes']:,} | {found['row_floor'] or 0:,} "
                          f"| {found['macs']:,} | {found['expected_cycles']:,} |")


if __name__ == "__main__":
    main()
