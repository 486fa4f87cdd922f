"""Makes mutants of what a program computes, not of its conditions (mutate.py --values):

    statement   an assignment or a call, on lines of its own, that is not there
    step        a 1 that is not added or not taken off
    extreme     std::max for std::min and the reverse
    arguments   a call whose two arguments, both names, are swapped

Many change nothing: swapped arguments of what commutes, sizes asked for in advance. So these are
read, not counted."""
import re

from mutants import Scanner, closing

STATEMENT = re.compile(r"^[ ]+(?:\*?[\w.>\[\]()-]+ [-+*/|&]?= |[\w.:>-]+\()", re.M)
NO_STATEMENT = re.compile(
    r"[A-Z_]+\(|(return|throw|case|default|using|for|if|while|switch|else|goto|static_assert|break|continue)\b"
)
BEFORE_STATEMENT = re.compile(r"[;{})]\s*$|\belse\s*$")
STEP = re.compile(r"[\w)\]] [+-] (1)(?![\w.'])")
EXTREME = re.compile(r"\bstd::(min|max)(?=(<\w+>)?\()")
TWO_NAMES = re.compile(
    r"(?<![\w>] )(?<![\w:.>])((?:\w+(?:::|\.|->))*[a-z]\w*)\(([a-z]\w*), ([a-z]\w*)\)")
RETURNED = re.compile(r"(?<=return )((?:\w+(?:::|\.|->))*[a-z]\w*)\(([a-z]\w*), ([a-z]\w*)\)")
COMMUTES = {
    "std::min", "std::max", "min", "max", "swap", "std::swap", "gcd", "std::gcd", "if", "for",
    "while", "switch", "catch"
}
BUILDS = re.compile(r"emplace|construct")


class Slips(Scanner):
    def mutants_of(self):
        for m in STATEMENT.finditer(self.text): self.visit_statement(m.start())
        for m in STEP.finditer(self.text):
            self.slip("step", m.start(1), m.end(1), "0", "hlocc_bound")
        for m in EXTREME.finditer(self.text): self.visit_extreme(m)
        for pattern in (TWO_NAMES, RETURNED):
            for m in pattern.finditer(self.text): self.visit_call(m)
        return self.named()

    def slip(self, kind, start, end, mutated, function):
        if any(a <= start < b for a, b in self.constant): return
        line = (self.source.rfind("\n", 0, start) + 1, self.source.find("\n", end))
        self.add(kind, start, end, *line, mutated, function)

    def visit_statement(self, start):
        while self.text[start] == " ": start += 1
        before = self.text[:start].rstrip()
        if NO_STATEMENT.match(self.text, start) or not BEFORE_STATEMENT.search(before): return
        # A list of initializers, not a body, has commas.
        end = start
        while end < len(self.text) and self.text[end] not in ";}":
            end = closing(self.text, end) + 1 if self.text[end] in "([{" else end + 1
        if self.text[end:end + 1] != ";" or self.text[end + 1:].lstrip().startswith("else"): return
        if self.text.count("\n", start, end) > 3: return
        self.slip("statement", start, end, "", "statement")

    def visit_extreme(self, m):
        end = closing(self.text, self.text.index("(", m.end())) + 1
        other = "max" if m[1] == "min" else "min"
        self.slip("extreme", m.start(), end, f"std::{other}{self.source[m.end():end]}", "choice")

    def visit_call(self, m):
        if m[1] in COMMUTES or m[2] == m[3] or BUILDS.search(m[1]): return
        self.slip("arguments", m.start(), m.end(), f"{m[1]}({m[3]}, {m[2]})", "choice")


def scan(path, source):
    return Slips(path, source).mutants_of()
