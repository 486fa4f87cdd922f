"""Networks that the tests of hlocc.quantize train: scikit-learn's digits, and pictures of bars,
crosses and frames that are drawn here."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

RANDOM = np.random.default_rng(5)


def convolved(x, weights, stride=1, groups=1):
    return lax.conv_general_dilated(x,
                                    weights, (stride, stride),
                                    "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                    feature_group_count=groups)


def pooled(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def normalized(x, p):
    return (x - p["mean"]) * lax.rsqrt(p["variance"] + 1e-3) * p["gamma"] + p["beta"]


def mlp(params, x):
    for weights, bias in params[:-1]:
        x = jax.nn.relu(x @ weights + bias)
    weights, bias = params[-1]
    return jax.nn.softmax(x @ weights + bias)


def convnet(params, image):
    x = jax.nn.relu(convolved(image, params["first"]) + params["first_bias"])
    x = pooled(x)
    x = jax.nn.relu(convolved(x, params["second"]) + params["second_bias"])
    x = pooled(x).reshape(x.shape[0], -1)
    return jax.nn.softmax(x @ params["dense"] + params["dense_bias"])


def depthwise(params, image):
    """With batch norms, relu6, a shortcut and a mean over the picture."""
    x = jax.nn.relu6(normalized(convolved(image, params["stem"], 2), params["norm0"]))
    for block in params["blocks"]:
        y = jax.nn.relu6(normalized(convolved(x, block["depth"], 1, x.shape[-1]), block["norm"]))
        x = x + (convolved(y, block["point"]) + block["bias"])
    return jax.nn.softmax(jnp.mean(x, axis=(1, 2)) @ params["dense"] + params["dense_bias"])


def drawn(*shape):
    return (RANDOM.normal(size=shape) * np.sqrt(2 / np.prod(shape[:-1]))).astype("f4")


def norm(channels):
    return {
        "mean": 0.1 * drawn(channels), "variance": np.abs(1 + 0.2 * drawn(channels)),
        "gamma": np.ones(channels, "f4"), "beta": np.zeros(channels, "f4")
    }


def mlp_params():
    return [(drawn(n, m), np.zeros(m, "f4")) for n, m in ((64, 64), (64, 32), (32, 10))]


def convnet_params():
    return {
        "first": drawn(3, 3, 1, 8), "first_bias": np.zeros(8, "f4"), "second": drawn(3, 3, 8, 16),
        "second_bias": np.zeros(16, "f4"), "dense": drawn(144, 4), "dense_bias": np.zeros(4, "f4")
    }


def depthwise_params():
    block = lambda: {
        "depth": drawn(3, 3, 1, 16), "norm": norm(16), "point": drawn(1, 1, 16, 16), "bias": np.
        zeros(16, "f4")
    }
    return {
        "stem": drawn(3, 3, 1, 16), "norm0": norm(16), "blocks": [block(), block()],
        "dense": drawn(16, 4), "dense_bias": np.zeros(4, "f4")
    }


def pictures(count):
    """[count, 12, 12, 1], and which of four each is."""
    images, labels = RANDOM.normal(0.2, 0.4, (count, 12, 12, 1)), RANDOM.integers(0, 4, count)
    for image, label in zip(images[..., 0], labels):
        top, left = RANDOM.integers(0, 7, 2)
        part = image[top:top + 6, left:left + 6]
        if label in (0, 2):
            part[2:4] += 0.8
        if label in (1, 2):
            part[:, 2:4] += 0.8
        if label == 3:
            part[[0, 5]] += 0.8
            part[:, [0, 5]] += 0.8
    return images.astype("f4"), labels


def digits():
    from sklearn.datasets import load_digits
    values, labels = load_digits(return_X_y=True)
    order = RANDOM.permutation(len(values))
    return (values[order] / 16).astype("f4"), labels[order]


# The function, its parameters, what it learns from, how many times, in steps of which size.
NETWORKS = {
    "digits": (mlp, mlp_params, digits, 30, 0.1),
    "convnet": (convnet, convnet_params, lambda: pictures(1500), 8, 0.05),
    "depthwise": (depthwise, depthwise_params, lambda: pictures(1500), 15, 0.05)
}


@functools.lru_cache(maxsize=None)
def trained(name):
    """(function, parameters, inputs that it has learnt from, others, the labels of these)."""
    function, make, data, epochs, rate = NETWORKS[name]
    params, (inputs, labels) = make(), data()
    many = len(inputs) * 2 // 3

    def loss(params, x, wanted):
        return -jnp.mean(jnp.log(function(params, x)[jnp.arange(len(wanted)), wanted] + 1e-9))

    @jax.jit
    def step(params, moved, x, wanted):
        slope = jax.grad(loss)(params, x, wanted)
        moved = jax.tree_util.tree_map(lambda m, s: 0.9 * m + s, moved, slope)
        return jax.tree_util.tree_map(lambda p, m: p - rate * m, params, moved), moved
    moved = jax.tree_util.tree_map(np.zeros_like, params)
    for _ in range(epochs):
        for at in range(0, many - 49, 50):
            params, moved = step(params, moved, inputs[at:at + 50], labels[at:at + 50])
    return function, params, inputs[:many], inputs[many:], labels[many:]


def calibration(name, count=100):
    return [one[None] for one in trained(name)[2][:count]]


def accuracy(run, name):
    """Of a function of one input, over those that the network has not learnt from."""
    _, _, _, inputs, labels = trained(name)
    return float(np.mean([np.argmax(run(one[None])) == label
                          for one, label in zip(inputs, labels)]))
