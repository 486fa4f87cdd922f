"""memory_test.py HLOCC [--write]: RAM and flash of every model in tests/data on Cortex-M4F against
the recorded ones. Arena, state and weights must be equal; code and stack may not grow by more than
a tenth and 256 bytes. --write records what is there now.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent / "data" / "models"
RECORD = HERE / "cortex_m4f.json"
EQUAL = ("arena_bytes", "state_bytes", "weights_bytes")
BOUNDED = ("code_bytes", "stack_bytes")
# The models of MLPerf Tiny: code fits in 12 KB at -O2, and in 5 KB at -Os where models are small.
# The larger ones lie beside this file: too large for tests that run every model many times.
CODE_LIMITS = {
    "ad_autoencoder": {"-O2": 12288, "-Os": 5120}, "kws_dscnn": {"-O2": 12288, "-Os": 5120},
    "ic_resnet8": {"-O2": 12288}, "vww_mobilenet": {"-O2": 12288}
}

# Weights that the model has in 8 bits, as floats in its file: flash that must not grow back.
WEIGHT_LIMITS = {"tiny_transformer_w8": 120000}


def measure(hlocc, model, level="-O2"):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([hlocc, "compile", model, "-o", folder, "--name", "Model", "--target",
                        "cortex-m4f", level], check=True)
        manifest = json.loads((pathlib.Path(folder) / "model.json").read_text(encoding="utf-8"))
    return {key: manifest[key] for key in EQUAL + BOUNDED}


def main():
    hlocc = sys.argv[1]
    models = {model.name.split(".")[0]: model
              for model in sorted([*MODELS.glob("*.snapshot.pb"), *HERE.glob("*.snapshot.pb")])}
    now = {name: measure(hlocc, model) for name, model in models.items()}
    if "--write" in sys.argv:
        rows = [f'  "{name}": {json.dumps(row)}' for name, row in now.items()]
        RECORD.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
        return 0
    wrong = 0
    recorded = json.loads(RECORD.read_text(encoding="utf-8"))
    for name, row in now.items():
        was = recorded.get(name, {})
        for key, value in row.items():
            limit = was.get(key, -1)
            if value == limit or (key in BOUNDED and 0 <= value <= limit * 1.1 + 256):
                continue
            print(f"{name}: {key} {value}, recorded {limit}")
            wrong += 1
    for name, levels in CODE_LIMITS.items():
        for level, limit in levels.items():
            code = measure(hlocc, models[name], level)["code_bytes"]
            if code >= limit:
                print(f"{name} {level}: code_bytes {code}, to be less than {limit}")
                wrong += 1
    for name, limit in WEIGHT_LIMITS.items():
        if now[name]["weights_bytes"] > limit:
            print(f"{name}: weights_bytes {now[name]['weights_bytes']}, at most {limit}")
            wrong += 1
    if wrong:
        print(f"wanted so? python3 {pathlib.Path(__file__).name} HLOCC --write, and say why")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
