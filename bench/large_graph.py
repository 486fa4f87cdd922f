"""HLO text of one computation, built operation by operation: shapes are inferred, names are
numbers."""
import math


class Value:
    def __init__(self, name, shape, element="f32"):
        self.name, self.shape, self.element = name, tuple(shape), element


def braces(numbers):
    return "{" + ",".join(map(str, numbers)) + "}"


def shape_text(shape, element="f32"):
    layout = braces(reversed(range(len(shape)))) if shape else ""
    return f"{element}[{','.join(map(str, shape))}]{layout}"


class Graph:
    def __init__(self, name):
        self.name, self.lines, self.parameters, self.where = name, [], 0, ""

    def add(self, opcode, shape, operands, more="", element="f32"):
        value = Value(f"{opcode}.{len(self.lines)}", shape, element)
        inside = operands if isinstance(operands, str) else ", ".join(operand.name
                                                                      for operand in operands)
        metadata = f', metadata={{op_name="{self.where}/{opcode}"}}' if self.where else ""
        self.lines.append(
            f"  {value.name} = {shape_text(shape, element)} {opcode}({inside}){more}{metadata}")
        return value

    def parameter(self, *shape):
        self.parameters += 1
        return self.add("parameter", shape, str(self.parameters - 1))

    def scalar(self, value):
        return self.add("constant", (), str(value))

    def integer(self, value):
        return self.add("constant", (), str(value), element="s32")

    def constant(self, values):
        return self.add("constant", (len(values),), braces(values))

    def unary(self, opcode, x):
        return self.add(opcode, x.shape, [x])

    def binary(self, opcode, a, b):
        return self.add(opcode, a.shape, [a, b])

    def compare(self, a, b, direction):
        return self.add("compare", a.shape, [a, b], f", direction={direction}", "pred")

    def select(self, mask, a, b):
        return self.add("select", a.shape, [mask, a, b])

    def broadcast(self, x, shape, dimensions=()):
        return self.add("broadcast", shape, [x], f", dimensions={braces(dimensions)}", x.element)

    def fill(self, value, shape):
        """As JAX writes it: a constant of its own, broadcast, at every use."""
        return self.broadcast(self.scalar(value), shape)

    def reduce(self, x, dimensions, reducer="add"):
        kept = [size for axis, size in enumerate(x.shape) if axis not in dimensions]
        initial = self.scalar(0 if reducer == "add" else "-inf")
        return self.add("reduce", kept, [x, initial],
                        f", dimensions={braces(sorted(dimensions))}, to_apply={reducer}_f32")

    def transpose(self, x, order):
        return self.add("transpose", [x.shape[axis] for axis in order], [x],
                        f", dimensions={braces(order)}")

    def reshape(self, x, shape):
        return self.add("reshape", shape, [x])

    def reverse(self, x, dimensions):
        return self.add("reverse", x.shape, [x], f", dimensions={braces(dimensions)}")

    def slice(self, x, low, high):
        ranges = ", ".join(f"[{a}:{b}]" for a, b in zip(low, high))
        return self.add("slice", [b - a for a, b in zip(low, high)], [x], f", slice={{{ranges}}}")

    def concatenate(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.add("concatenate", shape, values, f", dimensions={{{axis}}}")

    def update(self, x, part, at):
        return self.add("dynamic-update-slice", x.shape, [x, part, *at])

    def dot(self, a, b, a_dims, b_dims):
        shape = [size for axis, size in enumerate(a.shape) if axis not in a_dims] + \
            [size for axis, size in enumerate(b.shape) if axis not in b_dims]
        return self.add(
            "dot", shape, [a, b],
            f", lhs_contracting_dims={braces(a_dims)}, rhs_contracting_dims={braces(b_dims)}")

    def convolution(self, x, kernel, shape, labels, pads, stride=1, lhs_dilate=1, rhs_dilate=1):
        """Two spatial dimensions; `labels` name the kernel's, `pads` are (low, high) of both."""
        side = kernel.shape[labels.split("_")[1].index("0")]
        window = f"size={side}x{side} pad={pads[0]}_{pads[1]}x{pads[0]}_{pads[1]}"
        for key, value in (("stride", stride), ("lhs_dilate", lhs_dilate), ("rhs_dilate",
                                                                            rhs_dilate)):
            window += f" {key}={value}x{value}" if value != 1 else ""
        return self.add("convolution", shape, [x, kernel],
                        f", window={{{window}}}, dim_labels={labels}")

    def text(self, *results):
        shapes = ", ".join(shape_text(value.shape) for value in results)
        root = f"  ROOT result = ({shapes}) tuple({', '.join(value.name for value in results)})"
        reducers = "".join(f"{reducer}_f32 {{\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                           f"  ROOT c = f32[] {reducer}(a, b)\n}}\n"
                           for reducer in ("add", "maximum"))
        lines = "\n".join([*self.lines, root])
        return f"HloModule {self.name}\n{reducers}ENTRY main {{\n{lines}\n}}\n"
