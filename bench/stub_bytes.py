"""Bytes of code and constants of each function of runtime_stub/ on a Cortex-M4F, as a table: what a
firmware pays that calls it from one place, helpers that it shares with others not counted twice.

    python3 bench/stub_bytes.py [--flags -Os]
"""
import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILER = [
    "arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16",
    "-std=c99", "-ffreestanding"
]


def sizes(header, flags):
    """Function -> bytes, helpers (whose names end in _) added to the header's row alone."""
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder) / "header.o"
        # Functions that nobody calls are kept, as if each was called from elsewhere.
        subprocess.run(
            [*COMPILER, *flags, "-fkeep-inline-functions", "-x", "c", "-c", header, "-o", made],
            check=True)
        listed = subprocess.run(["arm-none-eabi-nm", "-S", "--size-sort", made],
                                check=True,
                                capture_output=True,
                                text=True).stdout
    out = collections.OrderedDict()
    for line in listed.splitlines():
        _, size, _, name = line.split()
        out[name] = int(size, 16)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flags", default="-Os")
    flags = parser.parse_args().flags.split()
    print(f"| header ({' '.join(flags)}) | all of it | its functions |\n|---|---|---|")
    for header in sorted((ROOT / "runtime_stub").glob("*.h")):
        found = sizes(header, flags)
        public = re.findall(r"^static inline [^;{]*?\b(hlocc_\w*[a-z0-9])\(", header.read_text(),
                            re.M)
        row = ", ".join(
            f"{name.removeprefix('hlocc_')} {found[name]}" for name in dict.fromkeys(public)
            if name in found)
        print(f"| `{header.name}` | {sum(found.values())} | {row} |")


if __name__ == "__main__":
    main()
