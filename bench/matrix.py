"""matrix.py HLOCC [MODEL...]: processor seconds of many models for many targets: `compile` for each pair, `matrix` with nothing known, `matrix` again.

Without models those of tests/data/models: int8 and f32 keyword spotting, an autoencoder, two digit classifiers, a Kalman filter. Files of the
first two must be equal. Processor time of the tool and its children; the machine's other work makes it longer."""
import filecmp
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = "kws_dscnn_int8 kws_dscnn ad_autoencoder cnn_digits_int8 mlp_digits ekf".split()
TARGETS = "cortex-m0 cortex-m3 cortex-m4f cortex-m7 cortex-m33 cortex-m55 rv32imc rv32imafc".split()


def seconds(commands):
    def used():
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime
    before = used()
    for command in commands:
        subprocess.run(command, check=True)
    return used() - before


def main():
    hlocc = pathlib.Path(sys.argv[1]).resolve()
    models = [pathlib.Path(name).resolve() for name in sys.argv[2:]] or [ROOT / f"tests/data/models/{name}.snapshot.pb" for name in MODELS]
    with tempfile.TemporaryDirectory(prefix="hlocc_matrix_") as name:
        folder = pathlib.Path(name)
        (folder / "matrix.json").write_text(json.dumps({"models": {f"m{i}": str(model) for i, model in enumerate(models)}, "targets": TARGETS,
                                                        "output": "matrix"}))
        pairs = [[hlocc, "compile", model, "--target", target, "-o", folder / "loop" / target, "-q"] for model in models for target in TARGETS]
        matrix = [hlocc, "matrix", folder / "matrix.json", "-j", "1", "-q"]
        print(f"{len(pairs)} pairs: compile {seconds(pairs):.2f} s, ", end="")
        print(f"matrix {seconds([matrix]):.2f} s, again {seconds([matrix]):.2f} s")
        for target in TARGETS:
            compared = filecmp.dircmp(folder / "loop" / target, folder / "matrix" / target)
            if compared.left_only or compared.right_only or compared.diff_files:
                sys.exit(f"{target}: files differ: {compared.left_only} {compared.right_only} {compared.diff_files}")


if __name__ == "__main__":
    main()
