"""matrix.py HLOCC [MODEL...]: processor and wall seconds of many models for many targets, one
process at a time: `compile` for each pair; `matrix` with nothing known, again, after one model's
file changed, and as two shards with nothing known.

Without models those of tests/data/models: int8 and f32 keyword spotting, an autoencoder, two digit
classifiers, a Kalman filter. Files of the first two must be equal. Times of the tool and its
children; the machine's other work makes them longer."""
import filecmp
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = "kws_dscnn_int8 kws_dscnn ad_autoencoder cnn_digits_int8 mlp_digits ekf".split()
TARGETS = "cortex-m0 cortex-m3 cortex-m4f cortex-m7 cortex-m33 cortex-m55 rv32imc rv32imafc".split()
# A field that no reader knows, of number 1000: another file, the same model.
UNKNOWN_FIELD = b"\xc0\x3e\x01"


def measure(what, commands):
    def used():
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime
    before, begin = used(), time.monotonic()
    for command in commands:
        subprocess.run(command, check=True)
    print(f"| {what} | {used() - before:.2f} | {time.monotonic() - begin:.2f} |", flush=True)


def main():
    hlocc = pathlib.Path(sys.argv[1]).resolve()
    models = [pathlib.Path(name).resolve() for name in sys.argv[2:]
              ] or [ROOT / f"tests/data/models/{name}.snapshot.pb" for name in MODELS]
    with tempfile.TemporaryDirectory(prefix="hlocc_matrix_") as name:
        folder = pathlib.Path(name)
        models = [pathlib.Path(shutil.copy(model, folder)) for model in models]
        (folder / "matrix.json").write_text(
            json.dumps({
                "models": {f"m{i}": str(model)
                           for i, model in enumerate(models)}, "targets": TARGETS
            }))
        pairs = [[
            hlocc, "compile", model, "--target", target, "-o", folder / "loop" / target, "-q"
        ] for model in models for target in TARGETS]
        def matrix(*flags, output="matrix"):
            return [
                hlocc, "matrix", folder / "matrix.json", "-o", folder / output, "-j", "1", "-q",
                *flags
            ]
        print(f"| {len(pairs)} pairs | CPU | wall |\n|---|---|---|")
        measure(f"`compile` {len(pairs)} times", pairs)
        measure("`matrix -j 1`, nothing known", [matrix()])
        measure("`matrix -j 1`, nothing changed", [matrix()])
        for target in TARGETS:
            compared = filecmp.dircmp(folder / "loop" / target, folder / "matrix" / target)
            if compared.left_only or compared.right_only or compared.diff_files:
                sys.exit(
                    f"{target}: files differ: {compared.left_only} {compared.right_only} "
                    f"{compared.diff_files}"
                )
        with open(models[-2], "ab") as file:
            file.write(UNKNOWN_FIELD)
        measure(f"`matrix -j 1`, {models[-2].name.split('.')[0]} changed", [matrix()])
        for shard in range(2):
            measure(f"`matrix -j 1 --shard {shard}/2`, nothing known",
                    [matrix("--shard", f"{shard}/2", output=f"shard{shard}")])


if __name__ == "__main__":
    main()
