"""roads.py HLOCC FOLDER: the commands that hlocc prints for other formats are run as it prints
them, in an environment of Python's that is made in FOLDER (kept from night to night), and what
comes of them is compiled here and compared with what the framework computes. Ends with 77 where pip
cannot install what a command needs."""
import json
import os
import pathlib
import re
import subprocess
import sys

HLOCC, FOLDER = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
# TensorFlow wants a NumPy of its own.
PACKAGES = {"jax": ["jax", "flatbuffers", "keras", "h5py"], "tensorflow": ["tensorflow-cpu"]}

MAKE_JAX = """
import jax, jax.export, jax.numpy as jnp, numpy as np
r = np.random.default_rng(0)
w, x = r.normal(size=(4, 3)).astype("f4"), r.normal(size=(1, 4)).astype("f4")
def f(s, x, *, gain):
    return {"y": x @ s["w"] * gain["a"], "w": s["w"] + 1}
args = ({"w": jnp.array(w)}, jnp.array(x)), {"gain": {"a": jnp.float32(2)}}
e = jax.export.export(jax.jit(f, donate_argnums=(0,)))(*args[0], **args[1])
open("kws.jaxexport", "wb").write(e.serialize())
open("tanh.mlirbc", "wb").write(jax.export.export(jax.jit(lambda x: jnp.tanh(x @ w)))(jnp.array(x)).mlir_module_serialized)
np.save("x.npy", x); np.save("w.npy", w); np.save("gain.npy", np.float32(2))
np.save("tanh.npy", np.tanh(x @ w)); np.save("y.npy", x @ w * 2); np.save("w1.npy", w + 1)
"""
MAKE_KERAS = """
import os
os.environ["KERAS_BACKEND"] = "jax"
import keras, numpy as np
from keras import layers as l
m = keras.Sequential([l.Input((8, 8, 1)), l.Conv2D(4, 3, activation="relu"), l.BatchNormalization(), l.Flatten(), l.Dense(5)])
m.save("digits.keras")
m.save("digits5.h5")
x = np.random.default_rng(2).normal(size=(1, 8, 8, 1)).astype("f4")
np.save("picture.npy", x)
np.save("digits.npy", np.asarray(m(x, training=False)))
"""
MAKE_SAVED = """
import numpy as np, tensorflow as tf
class M(tf.Module):
    def __init__(self):
        self.w = tf.Variable(np.random.default_rng(3).normal(size=(4, 3)).astype("f4"))
    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="x")])
    def __call__(self, x):
        return {"y": tf.nn.relu(x @ self.w)}
m = M()
tf.saved_model.save(m, "saved", signatures=m.__call__)
x = np.random.default_rng(4).normal(size=(1, 4)).astype("f4")
np.save("row.npy", x); np.save("saved.npy", m(x)["y"].numpy())
"""
# Environment; what makes the files; for each file, the inputs by argument and the results in order.
ROADS = [
    ("jax", MAKE_JAX, {
        "kws.jaxexport": (["w.npy", "x.npy", "gain.npy"], ["w1.npy", "y.npy"]),
        "tanh.mlirbc": (["x.npy"], ["tanh.npy"])
    }),
    ("jax", MAKE_KERAS, {
        "digits.keras": (["picture.npy"], ["digits.npy"]),
        "digits5.h5": (["picture.npy"], ["digits.npy"])
    }),
    ("tensorflow", MAKE_SAVED,
     {"saved": (["row.npy"], ["saved.npy"]), "saved/saved_model.pb": (["row.npy"], ["saved.npy"])}),
]
COMPARE = "import numpy as np, sys; a, b = map(np.load, sys.argv[1:]); assert a.shape == b.shape, (a.shape, b.shape); " \
          "np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)"


def environment(name):
    """The folder with that environment's python3."""
    binaries = FOLDER / name / "bin"
    subprocess.run([sys.executable, "-m", "venv", FOLDER / name], check=True)
    installed = subprocess.run([binaries / "pip", "install", "--quiet", *PACKAGES[name]],
                               check=False,
                               capture_output=True,
                               text=True)
    if installed.returncode != 0:
        print(
            f"{name}: pip installs no {' '.join(PACKAGES[name])}: {installed.stderr.strip()[-300:]}"
        )
        sys.exit(77)
    return binaries


def call(binaries, *command, shell=False):
    env = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}"}
    ran = subprocess.run(command[0] if shell else list(map(str, command)),
                         shell=shell,
                         cwd=FOLDER,
                         env=env,
                         capture_output=True,
                         text=True,
                         check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{command}: {ran.stderr[-2000:]}")
    return ran.stdout


def take(binaries, name, inputs, results):
    refused = subprocess.run([HLOCC, "inspect", name],
                             cwd=FOLDER,
                             capture_output=True,
                             text=True,
                             check=False)
    commands = re.findall(r'^note: .*?((?:KERAS_BACKEND=jax )?python3 -c ".*")$', refused.stderr,
                          re.M)
    assert refused.returncode == 1 and len(commands) == 1, refused.stderr
    output = FOLDER / re.search(r"open\('([^']*\.(?:hlo\.pb|mlir))', 'wb?'\)", commands[0])[1]
    output.unlink(missing_ok=True)
    call(binaries, commands[0], shell=True)
    found = json.loads(call(binaries, HLOCC, "inspect", output, "--json"))
    # What was no argument is frozen.
    assert len(found["arguments"]) == len(inputs), found["arguments"]
    given = [word for i, file in enumerate(inputs) for word in ("--input", f"{i}={file}")]
    call(binaries, HLOCC, "run", output, *given, "--output", "out/")
    for i, expected in enumerate(results):
        call(binaries, "python3", "-c", COMPARE, f"out/result{i}.npy", expected)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, source, files in ROADS:
        binaries = environment(name)
        call(binaries, "python3", "-c", source)
        for file, (inputs, results) in files.items():
            take(binaries, file, inputs, results)
            print(f"{file}: done", flush=True)
    # The text that the note on jax.export makes says what was donated.
    state = json.loads(call(FOLDER, HLOCC, "inspect", "kws.mlir", "--json"))
    assert [leaf["donated"] for leaf in state["arguments"]] == [True, False,
                                                                False], state["arguments"]


main()
