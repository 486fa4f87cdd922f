"""Random modules ahead of time: what interpreter and JIT agree on must hold on other targets too.

    boards.py HLO_FUZZ HLOCC [--seed N] [--count N] [--focus OP] [--save DIR] [--backend NAME] \
        TARGET...

Makes COUNT modules with `hlo_fuzz random --save-all` and runs them with `hlocc verify --target T`
(through --backend, if one is named), many in one program, for each target. Prints the cases that
differ and one line a target; --save keeps the snapshots of those. Fails if any differ, but for
targets whose vectors flush subnormals: there, infinities and NaN may change places.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile

FLUSH = {"cortex-m55", "armv7-linux"}


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout.splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("hlo_fuzz")
    parser.add_argument("hlocc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--focus", default="", help="ops that are drawn more often")
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--backend", help="of `hlocc verify` (default: the target's)")
    parser.add_argument("targets", nargs="+")
    wish = parser.parse_args()
    bad = False
    backend = ["--backend", wish.backend] if wish.backend else []
    with tempfile.TemporaryDirectory(prefix="hlocc_fuzz_") as folder:
        _, said = run([
            wish.hlo_fuzz, "random", "--seed",
            str(wish.seed), "--count",
            str(wish.count), "--focus", wish.focus, "--save-all", folder
        ])
        print("host JIT:", said[-1])
        cases = sorted(str(path) for path in pathlib.Path(folder).glob("*.snapshot.pb"))
        if not cases:
            sys.exit("no module was made")
        for target in wish.targets:
            _, said = run([wish.hlocc, "verify", *cases, "--target", target, *backend])
            for line in said[:-1]:
                print(f"{target}: {line}")
                # What a board has no room for is no difference.
                if not line.startswith("FAILED "):
                    continue
                bad |= target not in FLUSH
                name = line.split()[1].rstrip(":")
                if wish.save:
                    wish.save.mkdir(parents=True, exist_ok=True)
                    for ending in (".snapshot.pb", ".json"):
                        shutil.copy(f"{folder}/{name}{ending}", wish.save)
            print(f"{target}: {said[-1]}", flush=True)
            bad |= " passed, " not in said[-1]
    sys.exit(bad)


main()
