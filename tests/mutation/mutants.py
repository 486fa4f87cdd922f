"""Makes mutants of C++ sources: finds the conditions of `if`, `? :`, `return` and bool variables by
brackets alone, and lists what a slip of the hand would make of each:

    clause      a clause of && or || that is not there
    refusal     an early return, or a check(...) of ops/, that is not there
    comparison  < for <=, > for >= and the reverse; >= for == and > for != with a number
    bound       a number in a comparison that is one more or, for >= and <, one less; a loop
                that starts one early

Each mutant is a call hlocc_mutant(N, original, mutated) around the original text, so that one build
holds all of them (switch.cpp). Formatting is what tells operators from brackets of templates:
sources are clang-formatted."""
import dataclasses
import hashlib
import re

OPEN, CLOSE = "([{", ")]}"
REFUSAL = re.compile(
    r"\s*\{?\s*(return(?:\s+(?:false|true|kNone|hlo::kNone|nullptr|std::nullopt|\{\}|0))?|continue);"
)
COMPARISON = re.compile(r"(?<=[\s])(<=|>=|==|!=|<|>)(?=\s)")
SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
LOOSENED = {"==": ">=", "!=": ">"}
# What a condition of `? :` stands behind, if no bracket, comma, semicolon or question mark.
BEFORE_CHOICE = re.compile(r"\s[+&]?=\s|\s:\s|\breturn\s")
# The parameter of a function that is called like a check.
DECLARED = re.compile(r"\b(bool|const|auto|int|Diagnostic)\b|\w&\s")
# In front of the `return` of a function whose comparison is an instruction of a graph.
MAKES_INSTRUCTION = re.compile(r"\bWhere \S+\([^{};]*\{\s*$")
STEP = {"<": -1, "<=": 1, ">": 1, ">=": -1}
# What a second evaluation would change (files have new names after the first, drivers did what they
# were called for), and lambdas, whose conditions are found by themselves.
EFFECTS = re.compile(
    r"\+\+|--|[+\-*/|&^%]=|insert\(|below\(|emplace|erase\(|next\(|pop|std::move|"
    r"\[[^\]]*\]\s*\(|\[[&=]\]|\bvk(?:->|\.)[A-Z]\w+\(|"
    r"\b(rename|remove|unlink|mkdir|fclose|fread|fwrite|waitpid|fork|dup2)\(|(?<!\w)::(open|read|write|poll|pipe|close|kill)\("
)

# What types, chips and the verifier promise, so that a slip changes nothing: which numbers there
# are, by the name of what is compared. Widths are powers of two, and a bound between two of them
# may lie anywhere there; steps and holes of windows and numbers of groups are one at least; a
# contraction has two sides; an operand has a user, a group a root.
POWERS = [1 << n for n in range(11)]
PROMISES = [
    (re.compile(r"\b((type|scalar)_bits|(storage|scalar)_bytes)\(.*\)$|\belement_bits$"),
     [0, *POWERS]), (re.compile(r"\b(vector|pointer)_bits$"), [0, *POWERS[4:]]),
    (re.compile(r"\b(stride|(window|base)_dilation|(feature|batch)_group_count|groups\(\))$"),
     range(1, 100)), (re.compile(r"\bside$"), [0, 1]),
    (re.compile(r"\broots\.size\(\)$"), range(1, 100)),
    (re.compile(r"\busers_\[(operand|input|weights)\]\.size\(\)$"), range(1, 100)),
]
HOLDS = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__,
    "!=": int.__ne__
}


def is_slip(left, before, number, after, moved):
    """Whether `left BEFORE number` and `left AFTER moved` ever differ, as far as the name of `left`
    tells."""
    values = next((numbers for name, numbers in PROMISES if name.search(left)), None)
    return values is None or any(HOLDS[before](v, number) != HOLDS[after](v, moved) for v in values)


@dataclasses.dataclass
class Mutant:
    path: str
    line: int
    kind: str
    text: str       # the clause
    context: str    # the whole condition
    start: int
    end: int
    function: str   # hlocc_mutant or hlocc_bound; choice, statement: what rewritten() makes of it
    mutated: str
    key: str = ""


def masked(source):
    """The source with comments and preprocessor lines as spaces, and what is quoted as letters, of
    the same length."""
    def hidden(m):
        text = m.group()
        if text.startswith("R"): return "R" + re.sub(r"[^\n]", "x", text[1:])
        if text[0] in "\"'": return text[0] + "x" * (len(text) - 2) + text[0]
        return re.sub(r"[^\n]", " ", text)

    pattern = re.compile(
        r'R"\(.*?\)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<![0-9a-zA-Z])\'(?:\\.|[^\'\\\n])\'|^#(?:\\\n|[^\n])*',
        re.S | re.M)
    return pattern.sub(hidden, source)


def closing(text, at):
    """The place of the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        if text[i] in OPEN: depth += 1
        if text[i] in CLOSE:
            depth -= 1
            if depth == 0: return i
    raise ValueError("an open bracket")


def top_level(text, start, end):
    """Places of [start, end) outside of its brackets."""
    depth = 0
    for i in range(start, end):
        if text[i] in CLOSE: depth -= 1
        if depth == 0: yield i
        if text[i] in OPEN: depth += 1


def find_top(text, start, end, pattern):
    """Matches of a compiled pattern that begin outside of brackets."""
    outside = set(top_level(text, start, end))
    return [m for m in pattern.finditer(text, start, end) if m.start() in outside]


def split_top(text, start, end, operator):
    """[start, end) at the operator's top-level places, as spans without white space around."""
    spans, last = [], start
    for m in find_top(text, start, end, re.compile(r"(?<=\s)" + re.escape(operator) + r"(?=\s)")):
        spans.append((last, m.start()))
        last = m.end()
    return [trimmed(text, a, b) for a, b in spans + [(last, end)]]


def trimmed(text, start, end):
    while start < end and text[start].isspace(): start += 1
    while end > start and text[end - 1].isspace(): end -= 1
    return start, end


def constexpr_spans(text):
    """Where conditions have to be known to the compiler: constexpr variables and functions,
    static_assert."""
    spans = []
    for m in re.finditer(r"\b(constexpr|consteval|static_assert)\b", text):
        end = m.end()
        while end < len(text) and text[end] not in ";{":
            end = closing(text, end) + 1 if text[end] in "([" else end + 1
        spans.append(
            (m.start(), closing(text, end) if end < len(text) and text[end] == "{" else end))
    return spans


class Scanner:
    def __init__(self, path, source):
        self.path, self.source, self.text = path, source, masked(source)
        self.constant = constexpr_spans(self.text)
        self.mutants, self.taken = [], set()

    def mutants_of(self):
        for m in re.finditer(r"\bif \(", self.text): self.visit_if(m.end() - 1)
        for m in re.finditer(r"\breturn\s|\bbool \w+ =\s|\s&=\s", self.text):
            line = self.text[self.text.rfind("\n", 0, m.start()) + 1:m.start()]
            if not MAKES_INSTRUCTION.search(line): self.visit_expression(m.end())
        for m in re.finditer(r"\s\?\s", self.text): self.visit_choice(m.start())
        for m in re.finditer(r"\bfor \(", self.text): self.visit_for(m.end() - 1)
        if self.path.startswith("ops/"):
            for m in re.finditer(r"(?<![\w.>:])check\(", self.text): self.visit_check(m.end() - 1)
        return self.named()

    def named(self):
        """The mutants in order, each with a key that other lines of the file don't change."""
        self.mutants.sort(key=lambda m: (m.start, m.end, m.kind, m.mutated))
        counts = {}
        for m in self.mutants:
            name = "|".join([self.path, m.kind, m.text, m.mutated, m.context])
            counts[name] = counts.get(name, 0) + 1
            m.key = hashlib.sha1(f"{name}|{counts[name]}".encode()).hexdigest()[:12]
        return self.mutants

    def visit_if(self, at):
        end = closing(self.text, at)
        start = max([i + 1 for i in top_level(self.text, at + 1, end) if self.text[i] == ";"],
                    default=at + 1)
        refuses = REFUSAL.match(self.text, end + 1) is not None
        self.visit_condition(start, end, refuses)

    def visit_expression(self, start):
        end = next((i for i in top_level(self.text, start, len(self.text)) if self.text[i] == ";"),
                   None)
        if end is None or find_top(self.text, start, end, re.compile(r"\s\?\s")): return
        self.visit_condition(start, end, False)

    # Back from the question mark to where its condition begins.
    def visit_choice(self, at):
        depth = 0
        for i in range(at, -1, -1):
            c = self.text[i]
            if c in CLOSE: depth += 1
            if c in OPEN:
                if depth == 0: break
                depth -= 1
            if depth == 0 and c in ",;?": break
            if depth == 0 and (before := BEFORE_CHOICE.match(self.text, i)):
                i = before.end() - 1
                break
        self.visit_condition(i + 1, at, False)

    # check(CONDITION, kind, message...): what the rules of ops refuse by.
    def visit_check(self, at):
        end = next((i for i in top_level(self.text, at + 1, closing(self.text, at))
                    if self.text[i] == ","), None)
        if end is None or DECLARED.search(self.text, at + 1, end): return
        start, end = trimmed(self.text, at + 1, end)
        self.visit_condition(start, end, False)
        if len(split_top(self.text, start, end, "&&")) == 1:
            self.add("refusal", start, end, start, end, "true")

    # A loop that starts one early.
    def visit_for(self, at):
        end = closing(self.text, at)
        first = next((i for i in top_level(self.text, at + 1, end) if self.text[i] == ";"), None)
        if first is None: return
        m = re.search(r"[\w)\]] \+ (1)$", self.text[at:first])
        if m: self.add("bound", at + m.start(1), at + m.end(1), at + 1, first, "0", "hlocc_bound")

    def visit_condition(self, start, end, refuses):
        start, end = trimmed(self.text, start, end)
        if start >= end or (start, end) in self.taken: return
        if any(a <= start < b for a, b in self.constant): return
        if find_top(self.text, start, end,
                    re.compile(r"\s[+\-*/|&^%]?=\s|\s\?\s|<<|^\s*co_return")):
            return
        self.taken.add((start, end))
        whole = (start, end)
        alternatives = split_top(self.text, start, end, "||")
        if refuses and len(alternatives) == 1: self.add("refusal", start, end, *whole, "false")
        self.visit_alternatives(alternatives, whole)

    def visit_alternatives(self, alternatives, whole):
        for start, end in alternatives:
            if len(alternatives) > 1: self.add("clause", start, end, *whole, "false")
            clauses = split_top(self.text, start, end, "&&")
            for a, b in clauses:
                if len(clauses) > 1: self.add("clause", a, b, *whole, "true")
                self.visit_clause(a, b, whole)

    def visit_clause(self, start, end, whole):
        inner = start + 1 if self.text[start] == "!" else start
        if self.text[inner] == "(" and closing(self.text, inner) == end - 1:
            a, b = trimmed(self.text, inner + 1, end - 1)
            if not find_top(self.text, a, b, re.compile(r"\s\?\s")):
                self.visit_alternatives(split_top(self.text, a, b, "||"), whole)
            return
        found = find_top(self.text, start, end, COMPARISON)
        if len(found) != 1 or EFFECTS.search(self.text, start, end): return
        m = found[0]
        left, operator, right = self.source[start:m.start()], m.group(), self.source[m.end():end]
        number = re.fullmatch(r"\s*(\d+)", right)
        def slip(kind, after, moved, text):
            if number and not is_slip(left.strip(), operator, int(number[1]), after, moved): return
            self.add(kind, start, end, *whole, text)

        value = int(number[1]) if number else 0
        if operator in SWAPPED:
            slip("comparison", SWAPPED[operator], value, f"{left}{SWAPPED[operator]}{right}")
            if number:
                slip("bound", operator, value + STEP[operator],
                     f"{left}{operator} {value + STEP[operator]}")
        elif number and (operator == "==" or value != 0):
            slip("comparison", LOOSENED[operator], value, f"{left}{LOOSENED[operator]}{right}")

    def add(self, kind, start, end, whole_start, whole_end, mutated, function="hlocc_mutant"):
        line = self.source.count("\n", 0, start) + 1
        squeeze = lambda a, b: " ".join(self.source[a:b].split())
        self.mutants.append(
            Mutant(self.path, line, kind, squeeze(start, end), squeeze(whole_start, whole_end),
                   start, end, function, " ".join(mutated.split())))


def scan(path, source):
    return Scanner(path, source).mutants_of()


HEAD = "bool hlocc_mutant(int, bool, bool);\nint hlocc_bound(int, int, int);\n#line 1\n"
HEAD_OF_C = """#ifdef __cplusplus
extern "C" {
#endif
int hlocc_mutant_c(int, int, int);
int hlocc_bound_c(int, int, int);
#ifdef __cplusplus
}
#endif
#line 1
"""
OF_C = {
    "hlocc_mutant(": "hlocc_mutant_c(", "hlocc_bound(": "hlocc_bound_c(",
    "static_cast<bool>(": "!!(", ", true)": ", 1)", ", false)": ", 0)"
}


def rewritten(source, mutants, numbers, declarations=HEAD, words=None):
    """The source with a switch for each mutant; numbers[key] is what it is called."""
    before, after = {}, {}
    # Spans nest: an outer one opens first and closes last; of equal ones the later listed is the
    # outer.
    for m in sorted(mutants, key=lambda m: m.end - m.start):
        number = numbers[m.key]
        if m.function == "hlocc_bound":
            head, tail = f"hlocc_bound({number}, ", f", {m.mutated})"
        elif m.function == "choice":
            head, tail = f"(hlocc_mutant({number}, true, false) ? ", f" : {m.mutated})"
        elif m.function == "statement":
            head, tail = f"if (hlocc_mutant({number}, true, false)) ", ""
        else:
            head, tail = f"hlocc_mutant({number}, static_cast<bool>(", f"), {m.mutated})"
        before[m.start] = head + before.get(m.start, "")
        after[m.end] = after.get(m.end, "") + tail
    for old, new in (words or {}).items():
        before, after = ({at: text.replace(old, new)
                          for at, text in part.items()}
                         for part in (before, after))
    pieces, last = [], 0
    for at in sorted(set(before) | set(after)):
        pieces += [source[last:at], after.get(at, ""), before.get(at, "")]
        last = at
    return declarations + "".join(pieces) + source[last:]


def rewritten_c(source, mutants, numbers):
    """The same of a header in C, which C++ may include, too."""
    return rewritten(source, mutants, numbers, HEAD_OF_C, OF_C)
