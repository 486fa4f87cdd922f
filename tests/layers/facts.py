"""facts.py ROOT: what a chip is stands in its row. Nobody asks the texts of a triple, a processor
or its features but the files that make rows: whoever needs a fact reads a field of Target.
"""
import pathlib
import re
import sys

# Files that make rows, or hand the texts to LLVM; the doctor reads manifests, which hold texts
# only.
MAKE_ROWS = re.compile(
    r"target/|driver/(pipeline/targets|doctor/doctor)\.cpp|backends/llvm/(generic_target|target_machine)\.cpp"
)
FACT = r"[.>](triple|cpu|features)\b"
QUESTIONS = re.compile(
    rf"llvm::Triple\(|{FACT}\s*(==|!=)|(==|!=)\s*[\w.>-]*{FACT}"
    rf"|{FACT}\.(find|contains|starts_with|ends_with|rfind|compare|substr)\b|split\([\w.>-]*{FACT}")


def questions(root):
    """(file, line, text) of each question."""
    found = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in {".h", ".cpp", ".def"}:
            continue
        name = path.relative_to(root / "src").as_posix()
        if MAKE_ROWS.match(name):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            code = line.split("//")[0]
            if QUESTIONS.search(code):
                found.append((name, number, code.strip()))
    return found


def main():
    found = questions(pathlib.Path(sys.argv[1]).resolve())
    for name, number, text in found:
        print(
            f"{name}:{number}: asks a text of the target's: {text}: read a field of Target instead")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
