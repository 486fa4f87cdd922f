"""format.py ROOT [--fix]: the C and C++ of the tree is as .clang-format has it, line by line.
Generated files, goldens and tables (.def: one row, one line) are left alone. Without clang-format
14, which Debian 12 has and whose output other versions do not give, it exits with 77, which ctest
calls skipped.
"""
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

FOLDERS = ["bench", "cmake", "examples", "include", "runtime_stub", "src", "tests", "toolchains"]
KINDS = {".h", ".hpp", ".cpp", ".cc", ".c"}
# Written by scripts or held against what the tool writes.
GENERATED = re.compile(r"(^|/)(golden|data|samples)/")
VERSION = "14"


def clang_format():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if program := shutil.which(name):
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            if f"version {VERSION}." in said:
                return program
    return None


def files_of(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in KINDS and not GENERATED.search(name):
                yield path


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    paths = list(files_of(root))
    program = clang_format()
    if not program:
        print(f"no clang-format {VERSION} here")
        return 77
    what = ["-i"] if "--fix" in sys.argv else ["--dry-run", "--Werror", "--ferror-limit=1"]
    batches = [paths[i::4] for i in range(4)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = pool.map(lambda batch: subprocess.run([program, *what, *batch]).returncode, batches)
    failed = any(list(runs))
    if failed:
        print("tests/layers/format.py . --fix puts it right")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
