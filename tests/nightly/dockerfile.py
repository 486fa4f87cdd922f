"""dockerfile.py PACKAGES FOLDER: the RUN lines of examples/ci/Dockerfile, executed one after the
other in a chroot of Debian 12 that debootstrap makes, with the Debian package of PACKAGES
(tests/install/package_test.sh leaves it there) where COPY puts it; then the matrix of examples/ci
runs in it.

Exit status 77 without root, debootstrap, a network or a package."""
import glob
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def instructions(text):
    """(word, rest) of each instruction; lines that end in a backslash go on."""
    lines = [
        line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")
    ]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, rest = line.strip().partition(" ")
        yield word, re.sub(r"\s+", " ", rest).strip()


class Image:
    """What a Dockerfile makes, in a folder."""

    def __init__(self, folder):
        self.root, self.environment, self.place = folder, {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        }, "/"

    def run(self, command):
        print("RUN", command, flush=True)
        words = ["chroot", self.root, "sh", "-c", f"cd {shlex.quote(self.place)} && {command}"]
        if subprocess.run(words, env=self.environment, check=False,
                          stdin=subprocess.DEVNULL).returncode != 0:
            sys.exit(f"dockerfile: RUN {command}: failed")

    def build(self, text, given):
        for word, rest in instructions(text):
            if word == "RUN":
                self.run(rest)
            elif word == "ENV":
                name, _, value = rest.partition("=")
                self.environment[name] = value
            elif word == "COPY":
                source, target = rest.split()
                shutil.copy(given[source], self.root / target.lstrip("/"))
            elif word == "WORKDIR":
                self.place = rest
                (self.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            elif (word, rest) != ("FROM", "debian:12"):
                sys.exit(f"dockerfile: {word} {rest}: this test does not know it")


def main():
    packages, folder = glob.glob(f"{sys.argv[1]}/hlocc_*.deb"), pathlib.Path(sys.argv[2]).resolve()
    if os.getuid() != 0 or shutil.which("debootstrap") is None or not packages:
        print("needs root, debootstrap and the Debian package, which the job `package` makes")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", folder],
                          capture_output=True,
                          text=True,
                          check=False)
    if made.returncode != 0:
        print(f"debootstrap: {(made.stdout + made.stderr).strip().splitlines()[-1]}")
        return 77
    for name in ("apt/apt.conf.d", "apt/sources.list.d", "resolv.conf",
                 "hosts"):  # how this machine reaches Debian
        source, target = pathlib.Path("/etc") / name, folder / "etc" / name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, target)
    image = Image(folder)
    image.build((ROOT / "examples/ci/Dockerfile").read_text(), {"hlocc.deb": packages[0]})
    for part in ("examples/ci", "tests/data/models"):
        shutil.copytree(ROOT / part, folder / "src" / part)
    # Emulators and scripts ask for /proc and /dev.
    subprocess.run(["mount", "--bind", "/dev", folder / "dev"], check=True)
    try:
        image.run(
            "mount -t proc proc /proc && hlocc matrix examples/ci/matrix.json; status=$?; umount "
            "/proc; exit $status"
        )
    finally:
        subprocess.run(["umount", folder / "dev"], check=True)
    shutil.rmtree(folder)
    print("examples/ci/Dockerfile: its RUN lines in a chroot of Debian 12, and the matrix in it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
