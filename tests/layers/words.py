"""words.py ROOT: no file of the repository names a machine's own folders, a path out of the
repository, or a package registry's host: it must build and read the same for everybody.
"""
import pathlib
import re
import subprocess
import sys

# Written in pieces, so that this file passes its own check.
FOLDERS = "|".join(["wo" + "rk", "tm" + "p", "ro" + "ot", "ho" + "me"])
HOSTS = "|".join([
    r"py" + r"pi\.org", r"python" + r"hosted\.", r"deb" + r"ian\.org", r"npm" + r"js\.",
    r"crates" + r"\.io"
])
FORBIDDEN = re.compile(
    rf"(?<![\w.$}}{{)*-])/(?:{FOLDERS})(?![\w-])|\.\./sha" + rf"red\b|(?:{HOSTS})")


def files_of(root):
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True,
                            check=False)
    if listed.returncode == 0:
        return [root / name for name in listed.stdout.decode().split("\0") if name]
    return [path for path in root.rglob("*") if not {"build", ".git"} & set(path.parts)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = 0
    for path in files_of(root):
        if not path.is_file():
            continue
        content = path.read_bytes()
        if b"\0" in content or path.suffix == ".pb":
            continue
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1):
            match = FORBIDDEN.search(line)
            if match:
                found += 1
                print(f"{path.relative_to(root)}:{number}: mentions {match.group(0)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
