"""What share of a compilation is over when a stage begins, for models that take seconds: the
figures of driver/pipeline/stage_clock.cpp, from which the line of progress estimates.

    python3 bench/stage_shares.py --hlocc build/hlocc
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
MODELS = [("chain", 4000), ("wide", 4000), ("mixed", 4000), ("convnet", 2000), ("mixer", 2000),
          ("scan", 4000)]
TARGETS = ["host", "cortex-m4f"]
# The rows of --time-report with which a stage ends; all before `lower` that are none of these are
# passes.
ENDS = {
    "read": "reading", "lower": "lowering", "legalize": "lowering", "split": "lowering",
    "share": "lowering", "plan": "planning", "validate": "planning", "transfer": "code generation",
    "package": "packaging", "analyze": "packaging", "write": "writing"
}
STAGES = ["reading", "passes", "lowering", "planning", "code generation", "packaging", "writing"]


def shares(report):
    """Of the rows of a time report: the share of all time before each stage, and the seconds."""
    spent = dict.fromkeys(STAGES, 0.0)
    for line in report.splitlines()[1:]:
        words = line.split()
        if words[0] == "total":
            break
        row, seconds = " ".join(words[:-2]), float(words[-1])
        spent[ENDS.get(row, "code generation" if row.startswith("llvm") else "passes")] += seconds
    total = sum(spent.values())
    return [sum(spent[name] for name in STAGES[:at]) / total for at in range(len(STAGES))], total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hlocc", default="build/hlocc")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, count in MODELS:
            model = f"{folder}/{kind}.hlo.txt"
            subprocess.run(
                [sys.executable, HERE / "large_modules.py", kind,
                 str(count), "-o", model],
                check=True)
            for target in TARGETS:
                ran = subprocess.run([
                    options.hlocc, "compile", model, "--target", target, "-o", folder, "-q",
                    "--time-report"
                ],
                                     capture_output=True,
                                     text=True,
                                     check=True)
                found, total = shares(ran.stderr)
                rows.append(found)
                print(f"{kind} {count} {target}: {total:.1f} s, " +
                      ", ".join(f"{name} {share:.2f}"
                                for name, share in zip(STAGES, found, strict=True)),
                      flush=True)
    print("median: " + ", ".join(f"{name} {statistics.median(column):.2f}"
                                 for name, column in zip(STAGES, zip(*rows), strict=True)))


main()
