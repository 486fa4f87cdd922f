"""alone.py ROOT BUILD [--sample N]: every source file includes what it uses. A build with files
compiled together (HLOCC_UNITY) can't tell, since each file sees what those before it included; so
this compiles files alone, without code: those of the last commit and N others, which its hash
chooses. `--sample 0` takes all. Needs BUILD/compile_commands.json; a warning counts as an error.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

INCLUDED = re.compile(r'^#include "(/.*\.cpp)"', re.M)
WITH_VALUE = {"-o", "-include"}
NO_NEED = re.compile(r"-O\w*$|-Winvalid-pch$|-fpch-preprocess$|-c$|--param=")


def commands(build):
    """{source: (arguments that compile it alone, folder)}, also of those that are compiled
    together."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"])
        together = INCLUDED.findall(
            path.read_text()) if path.suffix == ".cxx" and path.exists() else None
        for source in together if together is not None else [str(path)]:
            found.setdefault(
                source,
                (alone(shlex.split(entry["command"]), str(path), source), entry["directory"]))
    return found


def alone(arguments, compiled, source):
    """The arguments with `source` for the file `compiled`, neither optimized nor with precompiled
    headers."""
    kept, arguments = [], iter(arguments)
    for argument in arguments:
        if argument in WITH_VALUE:
            next(arguments)
        elif not NO_NEED.match(argument):
            kept.append(source if argument == compiled else argument)
    return [*kept, "-fsyntax-only"]


def git(root, *arguments):
    made = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return made.stdout if made.returncode == 0 else ""


def chosen(root, sources, sample):
    """Those of the last commit, at most as many as of the others."""
    if sample == 0: return sources
    head = git(root, "rev-parse", "HEAD")
    changed = {str(root / name) for name in git(root, "diff", "--name-only", "HEAD~1").split()}
    order = sorted(sources,
                   key=lambda name: hashlib.sha256(
                       (head + os.path.relpath(name, root)).encode()).digest())
    touched = [name for name in order if name in changed][:sample]
    return touched + [name for name in order if name not in touched][:sample]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=24)
    options = parser.parse_args()
    root = options.root.resolve()
    found = commands(options.build)
    sources = [
        name for name in found
        if name.startswith(f"{root}/") and not name.startswith(f"{options.build.resolve()}/")
    ]
    if not sources:
        sys.exit(
            f"no sources in {options.build}/compile_commands.json: configure with "
            f"CMAKE_EXPORT_COMPILE_COMMANDS"
        )

    def errors_of(name):
        arguments, folder = found[name]
        made = subprocess.run([*arguments, "-Werror"], cwd=folder, capture_output=True, text=True)
        return made.stderr if made.returncode else ""

    taken = chosen(root, sources, options.sample)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        errors = [text for text in pool.map(errors_of, taken) if text]
    for text in errors: print(text)
    if errors:
        sys.exit(
            f"{len(errors)} of {len(taken)} files don't compile alone: each includes what it uses")
    print(f"{len(taken)} of {len(sources)} files compile alone")


if __name__ == "__main__":
    main()
