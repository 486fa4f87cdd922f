"""person_detect.py --hlocc HLOCC VWW_INT8 -o OUT: the network of TFLM's person_detection example, as
a snapshot: MobileNet v1 0.25 of bytes on a picture of 96x96 and one channel. It is the corpus'
vww_mobilenet_int8 with the first channel of the first filter, on a picture drawn from a seed; bytes
of RAM and instructions do not hang on the weights."""
import argparse
import pathlib
import random
import re
import struct
import subprocess
import tempfile


def nested(numbers, sizes):
    if not sizes:
        return str(next(numbers))
    return "{" + ", ".join(nested(numbers, sizes[1:]) for _ in range(sizes[0])) + "}"


def one_channel(text):
    """The module with a picture of one channel."""
    found = re.search(r"s8\[3,3,3,8\](\S*) constant\((\{.*?\})\)", text)
    numbers = [int(number) for number in re.findall(r"-?\d+", found[2])]
    # [3, 3, 3, 8]: of each three rows of eight the first.
    kept = (numbers[at] for at in range(len(numbers)) if at // 8 % 3 == 0)
    weights = f"s8[3,3,1,8]{found[1]} constant({nested(kept, [3, 3, 1, 8])})"
    return (text[:found.start()] + weights + text[found.end():]).replace(
        "s8[1,96,96,3]", "s8[1,96,96,1]")


def write_picture(path):
    head = "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 96, 96, 1), }"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    bits = random.Random(1).randbytes(96 * 96)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bits)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hlocc", default="build/hlocc")
    parser.add_argument("-o", dest="out", required=True)
    parser.add_argument("model")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([wish.hlocc, "compile", wish.model, "--name", "vww", "--emit", "hlo", "-q",
                        "-o", folder], check=True)
        text = one_channel((folder / "vww.hlo.txt").read_text())
        (folder / "model.hlo.txt").write_text(text)
        write_picture(folder / "picture.npy")
        argument = re.search(r"%?(\S+) = \S+ parameter\(0\)", text[text.index("ENTRY"):])[1]
        subprocess.run([wish.hlocc, "snapshot", folder / "model.hlo.txt", "--input",
                        f"{argument}={folder / 'picture.npy'}", "-o", wish.out], check=True)


if __name__ == "__main__":
    main()
