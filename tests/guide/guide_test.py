"""guide_test.py HLOCC_SOURCE [WORK]: does what docs/adding_a_target.md says, in a copy of the tree, and runs a model.

A fenced block whose first line is ```LANGUAGE PATH is the file PATH; ```LANGUAGE PATH after "TEXT" is put behind TEXT,
which must stand in PATH once. Then the copy is built, and the chip that the page makes up is asked for. Every step that the
page leaves out is a failure here.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
PRESET = "acme1000"
BLOCK = re.compile(r'^```\w[\w+]* (\S+)(?: after "((?:[^"\\]|\\.)*)")?\n(.*?)^```$', re.M | re.S)


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
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


def main():
    with tempfile.TemporaryDirectory(prefix="hlocc_guide_", dir=sys.argv[2] if len(sys.argv) > 2 else None) as name:
        tree = pathlib.Path(name) / "hlocc"
        copy_tree(tree)
        steps = follow((tree / "docs" / "adding_a_target.md").read_text(), tree)
        if steps != 3:
            sys.exit(f"guide: {steps} steps, and a target is 3 files")
        run("cmake", "-S", tree, "-B", tree / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DHLOCC_UNITY=ON",
            "-DHLOCC_TESTS=OFF")
        run("cmake", "--build", tree / "build", "--target", "hlocc")
        hlocc = tree / "build" / "hlocc"
        if f"{PRESET} " not in run(hlocc, "targets"):
            sys.exit(f"guide: hlocc targets does not know {PRESET}")
        run(tree / "tests" / "boards" / "selftest.sh", PRESET)
        model = tree / "tests" / "data" / "models" / "mlp_digits.snapshot.pb"
        for backend in ["cpu", "c"]:
            told = run(hlocc, "verify", model, "--target", PRESET, "--backend", backend)
            if "1 passed, 0 failed, 0 skipped" not in told:
                sys.exit(f"guide: {told}")
        print(f"{steps} steps: {PRESET} runs mlp_digits through LLVM and C")


main()
