"""Which kernels a compiled model launches, and how many multiply-accumulates each launch is worth.

Reads what `hlocc compile --emit kernel,hlo` wrote: the steps of the program, each with the HLO
instructions it came from, and those instructions' shapes. The turns of loops on data (while) are
not known here; `trips` says how many a model's body makes.
"""
import re

LAUNCH = re.compile(r"^( *)launch (\w+)\(.*?(?:// (.*))?$")
INSTRUCTION = re.compile(r"^\s*(?:ROOT )?%(\S+) = \w+\[([\d,]*)\]\S* (\w[\w-]*)\(([^)]*)\)(.*)$")


def numbers(text):
    return [int(part) for part in text.split(",") if part]


def product(values):
    result = 1
    for value in values:
        result *= value
    return result


def read_instructions(hlo_text):
    """name -> (shape, opcode, operand names, rest of the line)"""
    found = {}
    for line in hlo_text.splitlines():
        match = INSTRUCTION.match(line)
        if match:
            name, shape, opcode, operands, rest = match.groups()
            names = re.findall(r"%(\S+?)(?:,|$)", operands.replace(" ", "") + ",")
            found[name] = numbers(shape), opcode, names, rest
    return found


def shape_of(name, instructions):
    return instructions[name][0] if name in instructions else []


def macs_of(name, instructions):
    if name not in instructions:
        return 0
    shape, opcode, operands, rest = instructions[name]
    if opcode == "dot":
        left = shape_of(operands[0], instructions)
        contracted = re.search(r"lhs_contracting_dims=\{([\d,]*)\}", rest)
        return product(shape) * product(left[d] for d in numbers(contracted.group(1))) \
            if contracted and left else 0
    if opcode == "convolution":
        kernel = shape_of(operands[1], instructions)
        labels = re.search(r"dim_labels=\w+_(\w+)->", rest)
        if not kernel or not labels:
            return 0
        return product(shape) * product(size for size, label in zip(kernel, labels.group(1))
                                        if label != "o")
    return 0


def read_launches(kernel_text, hlo_text, trips=1):
    """kernel name -> {"launches", "macs", "hlo"}; within a while step a launch counts `trips`
    times."""
    instructions = read_instructions(hlo_text)
    kernels, depth = {}, []
    for line in kernel_text.splitlines():
        if line.startswith("}"):
            break
        indent = len(line) - len(line.lstrip())
        while depth and indent <= depth[-1] and not line.rstrip().endswith("{"):
            depth.pop()
        if re.match(r"\s*while\b", line):
            depth.append(indent)
        match = LAUNCH.match(line)
        if not match:
            continue
        origins = (match.group(3) or "").split(", ")
        times = trips if depth else 1
        row = kernels.setdefault(match.group(2), {"launches": 0, "macs": 0, "hlo": origins})
        row["launches"] += times
        row["macs"] += times * sum(macs_of(origin, instructions) for origin in origins)
    return kernels


def shape_note(row, hlo_text_instructions):
    """A few words on the first dot or convolution of a row: its result's shape and window."""
    for origin in row["hlo"]:
        if origin not in hlo_text_instructions:
            continue
        shape, opcode, operands, rest = hlo_text_instructions[origin]
        if opcode not in ("dot", "convolution"):
            continue
        note = f"{opcode} {'x'.join(map(str, shape))}"
        right = shape_of(operands[1], hlo_text_instructions)
        if right:
            note += f" by {'x'.join(map(str, right))}"
        stride = re.search(r"stride=(\S+?)[ }]", rest)
        groups = re.search(r"feature_group_count=(\d+)", rest)
        if stride:
            note += f" stride {stride.group(1)}"
        if groups:
            note += f" groups {groups.group(1)}"
        return note
    return row["hlo"][-1] if row["hlo"] else ""
