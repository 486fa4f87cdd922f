"""page.py: writes docs/nights.md from nights.tsv and sanitizers.tsv, which the jobs of
tests/nightly.sh add lines to.

    tests/nightly/page.py [--check]      # --check: fails where the page is not what the logs say
"""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "nights.md"
HEAD = """# What ran at night

Written by `python3 tests/nightly/page.py` from `tests/nightly/nights.tsv` and `tests/nightly/sanitizers.tsv`, to which the jobs
of `tests/nightly.sh` add a line each time; `docs/fuzzing.md` says how modules are drawn and compared.

## Drawn modules

Roads: `jit` is the interpreter against this machine's JIT, `c-COMPILER` against the C that is generated, the others are presets, run in
QEMU (`avr-mega2560`: in simavr). Left out is what could not be compared: no room on the board, a type that it lacks, a result that hangs on roundings. A
module can be drawn again from its seed: `build/hlo_fuzz random --seed N --count 1` with the flags of its chunk (`KINDS` in
`tests/nightly/drawn.py`).

"""
TOTALS = (
    "| road | since | modules | agree | left out | known differences | differ | hours of one "
    "process | differing, when they were found |\n"
    "|---|---|---|---|---|---|---|---|---|\n")
RUNS = (
    "\n| date | road | seeds from | modules | agree | left out | known | differ | minutes of one "
    "process |\n|---|---|---|---|---|---|---|---|---|\n"
)
SANITIZERS = """
## Sanitizers

The presets `asan` (addresses, undefined behaviour, the library's assertions; the whole suite) and `tsan` (data races; devices and
threads), run by `tests/nightly.sh --only asan --only tsan`.

| date | preset | tests passed | failed | which |
|---|---|---|---|---|
"""
FOUND = HERE / "found.md"


def rows(name):
    path = HERE / name
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def number(count):
    return f"{int(count):,}"


def drawn():
    runs, totals = rows("nights.tsv"), {}
    for date, road, _, *counts, names in runs:
        since, sums, found = totals.setdefault(road, (date, [0] * len(counts), []))
        totals[road] = (min(since, date), [a + int(b) for a, b in zip(sums, counts)],
                        found + ([] if names == "none" else [names]))
    text = TOTALS
    for road, (since, (made, agree, left_out, known, differ, minutes), found) in totals.items():
        text += (
            f"| {road} | {since} | {number(made)} | {number(agree)} | {number(left_out)} | {known} "
            f"| {differ} | {minutes / 60:.1f} | "
            f"{'; '.join(found) or 'none'} |\n")
    text += RUNS
    for date, road, seed, made, agree, left_out, known, differ, minutes, _ in runs:
        text += f"| {date} | {road} | {seed} | {number(made)} | {number(agree)} | {number(left_out)} | {known} | {differ} | {minutes} |\n"
    return text


def page():
    text = HEAD + drawn()
    if FOUND.exists():
        text += "\n" + FOUND.read_text(encoding="utf-8")
    runs = rows("sanitizers.tsv") or [["never yet", "asan, tsan", "-", "-", "-"]]
    return text + SANITIZERS + "".join(f"| {' | '.join(row)} |\n" for row in runs)


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if PAGE.exists() and PAGE.read_text(encoding="utf-8") == page() else
                 f"{PAGE.name} is not what the logs say: tests/nightly/page.py")
    PAGE.write_text(page(), encoding="utf-8")
