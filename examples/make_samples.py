"""make_samples.py: writes samples/*.h, the inputs and expected results that the examples carry.

Inputs and results come from the models' snapshots; the radar track of the Kalman filter is made
here.
"""
import math
import pathlib
import random
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "bench"))
import snapshot  # noqa: E402

MODELS = HERE.parent / "tests" / "data" / "models"


def array(name, values, kind="float"):
    lines, line = [], " "
    for value in values:
        text = f" {value:.9g}"
        if kind == "float":
            text += ("" if "." in text or "e" in text else ".0") + "f"
        text += ","
        if len(line) + len(text) > 98:
            lines.append(line)
            line = " "
        line += text
    lines.append(line)
    return f"static const {kind} {name}[{len(values)}] = {{\n" + "\n".join(lines) + "\n};\n"


def write(stem, what, arrays, kind="float"):
    guard = f"HLOCC_EXAMPLES_SAMPLES_{stem.upper()}_H_"
    content = f"/* {what} Written by make_samples.py. */\n#ifndef {guard}\n#define {guard}\n\n"
    content += "#include <stdint.h>\n\n" if kind != "float" else ""
    content += "\n".join(array(name, values, kind)
                         for name, values in arrays) + f"\n#endif /* {guard} */\n"
    (HERE / "samples" / f"{stem}.h").write_text(content, encoding="utf-8")


def from_snapshot(model, names):
    arguments, results = snapshot.read_snapshot(MODELS / f"{model}.snapshot.pb")
    return list(zip(names, map(snapshot.floats, arguments + results)))


def radar_track(steps):
    """A target that flies straight on: its noisy range, azimuth, elevation every 50 ms, its end."""
    random.seed(5)
    position, velocity, track = [9.0, 5.4, 2.3], [-1.2, 0.6, 0.2], []
    for _ in range(steps):
        position = [p + 0.05 * v for p, v in zip(position, velocity)]
        ground = math.hypot(position[0], position[1])
        track += [math.hypot(ground, position[2]) + random.gauss(0, 0.05),
                  math.atan2(position[1], position[0]) + random.gauss(0, 0.01),
                  math.atan2(position[2], ground) + random.gauss(0, 0.01)]
    return track, position + velocity


def main():
    write("kws", "One second of features for the keyword spotter, and its probabilities.",
          from_snapshot("kws_dscnn", ["kMfcc", "kProbs"]))
    write("gru", "One step of the streaming network: frame, state before, logits, state after.",
          from_snapshot("kws_gru_stream", ["kFrame", "kConvState", "kHidden", "kLogits",
                                           "kConvStateAfter", "kHiddenAfter"]))
    write("digits", "A digit in bytes, and the network's scores.",
          from_snapshot("cnn_digits_int8", ["kDigit", "kScores"]), "int8_t")
    track, end = radar_track(60)
    arguments = from_snapshot("ekf", ["kState", "kCovariance", "kMeasurement", "kStateAfter",
                                      "kCovarianceAfter", "kInnovation"])
    write("ekf", "One step of the filter, and a radar track: range, azimuth, elevation.",
          arguments + [("kTrack", track), ("kTrackEnd", end)])


if __name__ == "__main__":
    main()
