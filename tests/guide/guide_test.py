"""guide_test.py HLOCC_SOURCE [WORK]: does what docs/adding_a_target.md and docs/adding_a_backend.md
(part 1) say, in a copy of the tree, and runs a model on each.

A fenced block whose first line is ```LANGUAGE PATH is the file PATH; ```LANGUAGE PATH after "TEXT"
is put behind TEXT, which must stand in PATH once. Then the copy is built once, and the chip and the
backend that the pages make up are asked for. Every step that a page leaves out is a failure here.
"""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PRESET = "acme1000"
# A target is three files; a text backend is five, a row of what it writes, and its own with its
# include.
STEPS = {"adding_a_target.md": 3, "adding_a_backend.md": 8}
BLOCK = re.compile(r'^```\w[\w+]* (\S+)(?: after "((?:[^"\\]|\\.)*)")?\n(.*?)^```$', re.M | re.S)


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command],
                          cwd=cwd,
                          capture_output=True,
                          text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"guide: {' '.join(map(str, command))}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def copy_tree(to):
    names = run("git", "ls-files", "-co", "--exclude-standard", cwd=SOURCE).splitlines()
    for name in names:
        target = to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (SOURCE / name).is_file():
            target.write_bytes((SOURCE / name).read_bytes())
            target.chmod((SOURCE / name).stat().st_mode)


def follow(page, tree):
    """Applies the page's blocks; gives how many there were."""
    blocks = BLOCK.findall(page)
    for path, after, text in blocks:
        file = tree / path
        if not after:
            if file.exists():
                sys.exit(f"guide: {path} is there already")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            continue
        place = after.encode().decode("unicode_escape")
        old = file.read_text()
        if old.count(place) != 1:
            sys.exit(f"guide: {path} has {old.count(place)} times: {place}")
        file.write_text(old.replace(place, place + text))
    return len(blocks)


def build(tree):
    run("cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DHLOCC_UNITY=ON", "-DHLOCC_TESTS=OFF")
    run("cmake", "--build", tree / "build", "--target", "hlocc")
    return tree / "build" / "hlocc"


def try_target(tree, hlocc, model):
    if f"{PRESET} " not in run(hlocc, "targets"):
        sys.exit(f"guide: hlocc targets does not know {PRESET}")
    run(tree / "tests" / "boards" / "selftest.sh", PRESET)
    for backend in ["cpu", "c"]:
        told = run(hlocc, "verify", model, "--target", PRESET, "--backend", backend)
        if "1 passed, 0 failed, 0 skipped" not in told:
            sys.exit(f"guide: {told}")


def floats_of(path):
    """The f32 of a .npy, or of a file of nothing else."""
    data = path.read_bytes()
    if data.startswith(b"\x93NUMPY"):
        data = data[10 + int.from_bytes(data[8:10], "little"):]
    return struct.unpack(f"<{len(data) // 4}f", data)


def try_backend(tree, hlocc, model):
    if "\njs " not in run(hlocc, "backends"):
        sys.exit("guide: hlocc backends does not know js")
    sys.path.insert(0, str(tree / "bench"))
    import snapshot
    out = tree / "out"
    run(hlocc, "compile", model, "--backend", "js", "-o", out)
    arguments, _ = snapshot.read_snapshot(model)
    files = []
    for index, argument in enumerate(arguments):
        files.append(out / f"argument_{index}.bin")
        files[-1].write_bytes(argument[2])
    run("node", tree / "src" / "backends" / "js" / "run.js", out / "mlp_digits.js",
        out / "result.bin", *files)
    run(hlocc, "run", model, "--backend", "interpreter", "--output", f"{out / 'interpreter'}/")
    expected = floats_of(next((out / "interpreter").glob("*.npy")))
    got = floats_of(out / "result.bin")
    if len(got) != len(expected) or any(
            abs(a - b) > 1e-4 + 1e-5 * abs(b) for a, b in zip(got, expected)):
        sys.exit(f"guide: JavaScript computes {got}, the interpreter {expected}")


def main():
    with tempfile.TemporaryDirectory(prefix="hlocc_guide_",
                                     dir=sys.argv[2] if len(sys.argv) > 2 else None) as name:
        tree = pathlib.Path(name) / "hlocc"
        copy_tree(tree)
        for page, blocks in STEPS.items():
            steps = follow((tree / "docs" / page).read_text(), tree)
            if steps != blocks:
                sys.exit(f"guide: {page} has {steps} steps, and should have {blocks}")
        hlocc = build(tree)
        model = tree / "tests" / "data" / "models" / "mlp_digits.snapshot.pb"
        try_target(tree, hlocc, model)
        try_backend(tree, hlocc, model)
        print(f"{PRESET} runs mlp_digits through LLVM and C, and Node.js through JavaScript")


main()
