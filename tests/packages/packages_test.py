"""packages_test.py HLOCC ROOT [--nightly] [--table] [FORMAT...]: makes a package of each format,
follows its README, and uses it in projects of a user's.

A package is made in a folder of its own and moved, so that nothing in it leads back. Every command
under "Its test" in the README must end well; then one byte of what the test expects is changed, and
the same commands must fail. --nightly tries all formats, else those that are quick. --table prints
a row a format, for docs/packages.md. A format whose tools are missing is named and skipped, which
is no failure but with --nightly."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from ways import PLATFORMIO, WAYS

HLOCC, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FLAGS = [word for word in sys.argv[3:] if word.startswith("--")]
WANTED = [word for word in sys.argv[3:] if not word.startswith("--")]
HERE = pathlib.Path(__file__).resolve().parent
TINY = "HloModule tiny\nENTRY e {\n x = f32[4] parameter(0)\n ROOT s = f32[4] tanh(x)\n}\n"


class Failure(Exception):
    pass


def shell(line, folder, must=True):
    environment = {**os.environ, "ROOT": str(ROOT), "STAND_INS": str(HERE / "stand_ins")}
    ran = subprocess.run(["bash", "-eo", "pipefail", "-c", line],
                         cwd=folder,
                         env=environment,
                         stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT,
                         check=False)
    said = ran.stdout.decode("utf-8", "replace")
    if must and ran.returncode != 0:
        raise Failure(f"{line}\n{said[-4000:]}")
    return ran.returncode, said


def commands(readme):
    """The lines under "Its test", in order."""
    section = re.search(r"^## Its test\n(.*?)^## ", readme, re.M | re.S).group(1)
    lines = re.findall(r"^    (\S.*)$", section, re.M)
    if not lines:
        raise Failure("the README has no commands under \"Its test\"")
    return lines


def make(way, folder):
    """The package as PACKAGE in the folder."""
    targets = " ".join(f"--target {target}" for target in way.targets)
    (folder / "tiny.hlo.txt").write_text(TINY)
    (folder / "choices.py").write_text(PLATFORMIO)
    model = folder / "tiny.hlo.txt" if way.model == "tiny" else ROOT / f"tests/data/models/{way.model}.snapshot.pb"
    shell(
        f"{HLOCC} package {model} --maintainer 'Ann Other <ann@hlocc-tests.net>' --name acme::Kws "
        f"--format {way.name} {targets} -o elsewhere -q && mv elsewhere PACKAGE",
        folder)


def spoil(folder):
    """Changes one byte that the test expects."""
    found = 0
    for path in [*folder.rglob("kws_selftest.*"), *folder.glob("selftest/kws.rs")]:
        text = path.read_text().replace("OUT0: [u8; 48] = [", "out0[] {")
        changed = re.sub(r"(out0\[\][^{]*\{\s*)(\d+)",
                         lambda m: m.group(1) + str(int(m.group(2)) ^ 64),
                         text,
                         count=1)
        changed = re.sub(r"(out0\[\][^{]*\{\s*(?:\d+, ){3})(\d+)",
                         lambda m: m.group(1) + str(int(m.group(2)) ^ 64),
                         changed,
                         count=1)
        found += changed != text
        path.write_text(changed.replace("out0[] {", "OUT0: [u8; 48] = ["))
    if found == 0:
        raise Failure("the package has no test to be spoiled")


def followed(way, folder, must=True):
    """Every command of the README, or of the way; how many there were."""
    lines = commands((folder / "PACKAGE/README.md").read_text())
    lines = [way.prelude + re.sub(r"=VCPKG$", "=$VCPKG", line) for line in way.follow or lines]
    status = [shell(line, folder, must)[0] for line in lines]
    return len(lines), all(one == 0 for one in status)


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def tried(way, folder):
    """Steps, seconds from the package to a sample that ran, bytes of the package."""
    make(way, folder)
    nbytes = size(folder / "PACKAGE")
    if way.validate:
        shell(way.validate, folder)
    pristine = folder / "pristine"
    shutil.copytree(folder / "PACKAGE", pristine)
    begin = time.monotonic()
    steps, _ = followed(way, folder)
    seconds = time.monotonic() - begin
    for files, line in way.projects:
        work = pathlib.Path(tempfile.mkdtemp(dir=folder))
        shutil.copytree(pristine, work / "PACKAGE")
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        shell(way.prelude + line, work)
    bad = folder / "bad"
    bad.mkdir()
    shutil.copytree(pristine, bad / "PACKAGE")
    (bad / "choices.py").write_text(PLATFORMIO)
    spoil(bad / "PACKAGE")
    if way.runs and followed(way, bad, must=False)[1]:
        raise Failure("another result was expected, and the package's test passed")
    return steps, seconds, nbytes


def main():
    nightly, failed = "--nightly" in FLAGS, 0
    for way in WAYS:
        if (WANTED and way.name not in WANTED) or (way.nightly and not nightly and not WANTED):
            continue
        missing = [tool for tool in way.tools if shutil.which(tool) is None]
        if missing:
            print(f"{way.name}: skipped: {', '.join(missing)} is not installed")
            failed += nightly
            continue
        with tempfile.TemporaryDirectory(prefix="hlocc_packages_") as folder:
            os.environ["SHARED"] = folder
            try:
                steps, seconds, nbytes = tried(way, pathlib.Path(folder))
            except Failure as why:
                print(f"{way.name}: FAILED: {why}")
                failed += 1
                continue
        if "--table" in FLAGS:
            print(
                f"| `{way.name}` | {steps} for {len(way.targets)} targets | {seconds:.1f} | "
                f"{nbytes / 1024:.0f} |"
            )
        else:
            whose = "commands instead of its README's" if way.follow else "commands of its README"
            print(f"{way.name}: {steps} {whose} in {seconds:.1f} s, {len(way.projects)} projects")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
