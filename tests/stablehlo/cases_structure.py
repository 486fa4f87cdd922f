"""Movement, contractions, windows, reductions, control flow, and what holds programs together."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from case import case, draw

F = np.float32
X = draw("x", (4, 6), F)
Y = draw("y", (6, 5), F)

# --- movement ---
case(
    "iota", lambda:
    (lax.iota(F, 7), lax.broadcasted_iota(np.int32, (3, 4), 1), jnp.arange(3, dtype=np.complex64)))
case("reshape_transpose", lambda x: (x.reshape(3, 8), x.T, x.reshape(2, 2, 6).transpose(2, 0, 1)),
     X)
case("reverse", lambda x: (x[::-1], x[:, ::-1], lax.rev(x, (0, 1))), X)
case(
    "broadcasts", lambda x, r:
    (jnp.broadcast_to(r, (4, 6)), x + r, jnp.broadcast_to(x[:, :1],
                                                          (4, 6)), x[:, None] * x[None]), X, X[0])
case("concatenate", lambda x:
     (jnp.concatenate([x, x * 2], 0), jnp.stack([x, x], 1), jnp.tile(x, (2, 3))), X)
case("slices", lambda x: (x[1:3], x[:, 1:6:2], x[2], lax.slice(x, (0, 1), (4, 5), (3, 2))), X)
case("dynamic_slice", lambda x, i:
     (lax.dynamic_slice(x, (i, 2),
                        (2, 3)), lax.dynamic_index_in_dim(x, i), x[i, i]), X, np.int32(1))
case(
    "dynamic_update_slice", lambda x, i:
    (lax.dynamic_update_slice(x, x[:2, :3] * 0,
                              (i, i)), lax.dynamic_update_index_in_dim(x, x[0], i, 0)), X,
    np.int32(2))
case(
    "pad", lambda x: (jnp.pad(x, ((1, 2), (0, 3))), lax.pad(x, F(7), (
        (1, -1, 2), (-2, 0, 0))), jnp.pad(x, 1, mode="reflect")), X)
case(
    "gather", lambda x, i: (x[i], x[:, i], x[i, i], jnp.take(x, i, axis=1, mode="clip"),
                            jnp.take_along_axis(x, i[:, None], 1)), X, np.int32([3, 0, 2, 1]))
case("gather_fill", lambda x, i: x.at[i].get(mode="fill", fill_value=-1), X, np.int32([3, 9, -9,
                                                                                       1]))
case("gather_batched", jax.vmap(lambda x, i: x[i]), X, np.int32([[1, 2], [3, 4], [0, 5], [5, 0]]))
case(
    "scatter", lambda x, i:
    (x.at[i].set(1), x.at[i].add(2), x.at[i, i].mul(3), x.at[i].min(-1), x.at[:, i].max(1)), X,
    np.int32([3, 0, 2]))
case("scatter_drop", lambda x, i: x.at[i].set(5, mode="drop"), X, np.int32([3, 9, 1]))
case("scatter_apply", lambda x, i: x.at[i].apply(jnp.sin), X, np.int32([3, 1]))
case("scatter_batched", jax.vmap(lambda x, i: x.at[i].add(1)), X,
     np.int32([[1, 2], [3, 4], [0, 5], [5, 0]]))
case("roll_flip", lambda x:
     (jnp.roll(x, 2, 1), jnp.rot90(x), jnp.tril(x), jnp.triu(x, 1), jnp.diag(x[0])), X)
case("searchsorted", lambda x, v: jnp.searchsorted(x, v), np.sort(X[0]), X[1])
case("one_hot", lambda i: jax.nn.one_hot(i, 7), np.int32([1, 6, 0]))
case("where_nonzero_sizes", lambda x: (jnp.where(x > 0, x, 0), jnp.nonzero(x > 0, size=5)[0]), X)

# --- contractions ---
case("dot", lambda x, y: (x @ y, jnp.dot(x[0], y[:, 0]), jnp.outer(x[0], y[0]), x @ y[:, 0]), X, Y)
case(
    "dot_batched", lambda a, b:
    (jnp.einsum("bij,bjk->bik", a, b), jnp.einsum("bij,bkj->kbi", a, b.transpose(0, 2, 1)),
     jnp.einsum("bij,bjk->k", a, b)), draw("a", (3, 2, 4), F), draw("b", (3, 4, 5), F))
case("dot_precision",
     lambda x, y: (jnp.dot(x, y, precision="highest"), jnp.dot(x, y, precision="high"),
                   jnp.dot(x, y, preferred_element_type=np.float64)),
     X,
     Y,
     wide=True)
case(
    "dot_algorithms", lambda x, y: tuple(
        lax.dot(x, y, precision=p) for p in
        (lax.DotAlgorithmPreset.F32_F32_F32, lax.DotAlgorithmPreset.BF16_BF16_F32_X3)), X, Y)
case(
    "dot_integers", lambda a, b:
    (lax.dot(a, b, preferred_element_type=np.int32), a.astype(np.int32) @ b.astype(np.int32)),
    draw("a", (4, 6), np.int8, -9, 9), draw("b", (6, 3), np.int8, -9, 9))
case("dot_bf16",
     lambda x, y: lax.dot(x.astype(jnp.bfloat16), y.astype(jnp.bfloat16), preferred_element_type=F),
     X, Y)
case("kron_trace", lambda x:
     (jnp.kron(x[:2, :2], x[:2, :3]), jnp.trace(x), jnp.cross(x[:, :3], x[:, 3:])), X)
case("ragged_dot", lambda x, y, n: lax.ragged_dot(x, y, n), X, draw("r", (3, 6, 5), F),
     np.int32([1, 0, 3]))

I = draw("image", (2, 8, 8, 3), F)
K = draw("kernel", (3, 3, 3, 4), F)
NHWC = ("NHWC", "HWIO", "NHWC")
case("conv_same",
     lambda x, k: lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=NHWC), I, K)
case(
    "conv_strided", lambda x, k: lax.conv_general_dilated(
        x, k, (2, 1), [(0, 1), (2, -1)], rhs_dilation=(1, 2), dimension_numbers=NHWC), I, K)
case("conv_transpose", lambda x, k: lax.conv_transpose(x, k, (2, 2), "SAME"), I[:, :4, :4], K)
case(
    "conv_depthwise", lambda x, k: lax.conv_general_dilated(x,
                                                            k.reshape(3, 3, 1, 12)[..., :6], (1, 1),
                                                            "VALID",
                                                            feature_group_count=3,
                                                            dimension_numbers=NHWC), I, K)
case("conv_nchw", lambda x, k: lax.conv(x.transpose(0, 3, 1, 2), k.transpose(3, 2, 0, 1),
                                        (1, 1), "VALID"), I, K)
case("conv_1d", lambda x, k: jnp.convolve(x, k, mode="same"), X.reshape(-1), Y[0])
case(
    "conv_grad",
    jax.grad(lambda k, x: jnp.sum(
        lax.conv_general_dilated(x, k, (2, 2), "SAME", dimension_numbers=NHWC)**2)), K, I)
case(
    "conv_batch_groups", lambda x, k: lax.conv_general_dilated(
        x, k, (1, 1), "SAME", dimension_numbers=NHWC, batch_group_count=2), I, K)
case(
    "conv_reversed", lambda x, k: lax.conv_general_dilated_local(
        x, draw("l", (6, 6, 27, 2), F), (1, 1), "VALID", (3, 3), dimension_numbers=NHWC), I, K)

# --- reductions ---
case(
    "reductions", lambda x: (x.sum(), x.sum(0), x.max(1), x.min(), x.prod(1), x.mean(), x.var(0),
                             jnp.all(x > 0), jnp.any(x > 0, axis=1)), X)
case(
    "reduce_integers", lambda x: (x.sum(dtype=np.int32), jnp.bitwise_xor.reduce(x, axis=0),
                                  lax.reduce_or(x, (1, )), lax.reduce_and(x, (0, ))),
    draw("ri", (4, 5), np.int32, 0, 99))
case("argmax", lambda x: (jnp.argmax(x, 1), jnp.argmin(x), jnp.nanmax(x)), X)
case("reduce_region", lambda x: lax.reduce(x, F(1), lambda a, b: a * b + 1, (1,)), X)
case(
    "reduce_variadic", lambda x: lax.reduce((x, x * 2), (F(0), F(1)), lambda a, b:
                                            (a[0] + b[0], jnp.maximum(a[1], b[1])), (0, )), X)
case(
    "cumulative", lambda x: (jnp.cumsum(x, 1), jnp.cumprod(x, 0), lax.cummax(x, 1),
                             lax.cummin(x, 0, reverse=True), lax.cumlogsumexp(x, 1)), X)
case(
    "pooling", lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1),
                                            (1, 2, 2, 1), "VALID"),
                          lax.reduce_window(x, 0., lax.add, (1, 3, 3, 1), (1, 2, 1, 1), "SAME")), I)
case(
    "pooling_dilated", lambda x: lax.reduce_window(x,
                                                   0.,
                                                   lax.add, (1, 2, 2, 1), (1, 1, 1, 1), [(0, 0),
                                                                                         (1, 0),
                                                                                         (0, 2),
                                                                                         (0, 0)],
                                                   base_dilation=(1, 2, 1, 1),
                                                   window_dilation=(1, 1, 3, 1)), I)
case(
    "pooling_grad",
    jax.grad(lambda x: jnp.sum(
        lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")**2)), I)
case(
    "sorting", lambda x: (jnp.sort(x, 1), jnp.argsort(x, 0), jnp.sort(x, 0, descending=True),
                          lax.sort((x, x * 2), num_keys=2)), X)
case("top_k", lambda x: lax.top_k(x, 3), X)
case("median", lambda x: (jnp.median(x), jnp.quantile(x, 0.3, axis=1)), X)
case("softmax", lambda x: (jax.nn.softmax(x), jax.nn.log_softmax(x, 0), jax.nn.logsumexp(x)), X)
case("map", lambda x: lax.map(lambda r: r * 2 + 1, x), X)
case("associative_scan", lambda x: lax.associative_scan(jnp.add, x), X)

# --- control flow ---
case("fori", lambda x, n: lax.fori_loop(0, n, lambda i, v: v * 0.5 + i, x), X, np.int32(5))
case(
    "while_captures", lambda x, y: lax.while_loop(lambda s: jnp.sum(s[0]) < jnp.sum(y), lambda s:
                                                  (s[0] + y[:1], s[1] + 1), (x, 0))[0],
    abs(X[:1, :5]) * 0,
    abs(Y) + 1)
case("while_one", lambda x: lax.while_loop(lambda v: v < 100, lambda v: v * 3, x), np.int32(1))
case("scan", lambda x, y: lax.scan(lambda c, r: (c + r @ y, c * 2), jnp.zeros(5), x), X, Y)
case("scan_reverse", lambda x: lax.scan(lambda c, r: (c * 0.5 + r, c), x[0], x, reverse=True), X)
case("cond", lambda x, p: lax.cond(p, lambda v: v + x[0], lambda v: v * 2, x), X, np.bool_(True))
case("cond_false", lambda x, p: lax.cond(p, lambda v: (v + 1, v), lambda v: (v, v * x), x), X,
     np.bool_(False))
case("switch",
     lambda x, i: lax.switch(i, [lambda v: v, lambda v: v + x[0, 0], lambda v: jnp.sin(v)], x), X,
     np.int32(2))
case("switch_clamped", lambda x, i: lax.switch(i, [lambda v: v, lambda v: v * 2], x), X,
     np.int32(9))
case(
    "nested_control", lambda x: lax.fori_loop(
        0, 3, lambda i, v: lax.cond(i > 1, lambda u: lax.fori_loop(0, i, lambda j, w: w + x, u),
                                    lambda u: u - x, v), x), X)
case(
    "calls", lambda x: jax.jit(jnp.tanh)(jax.jit(lambda v: jax.nn.gelu(v) + jax.nn.relu(v))
                                         (x)) + jax.nn.relu(x), X)
case("checkpoint_grad", jax.grad(lambda x: jnp.sum(jax.checkpoint(lambda v: jnp.sin(v) * v)(x))), X)
case("barrier", lambda x, y: (lax.optimization_barrier((x, y)), lax.optimization_barrier(x)), X, Y)
case("custom_gradient", jax.grad(lambda x: jnp.sum(jax.nn.relu6(x) ** 2)), X)
case("no_arguments", lambda: jnp.ones((2, 3)))
case("identity", lambda x: x, X)
case("same_result_twice", lambda x: (x, x, x + 1), X)
case("donated", lambda s, x: (s + x, jnp.sum(s)), X, X * 2, donate=(0,))
case("donated_alone", lambda s: s * 2, X, donate=(0,))
case("donated_unused", lambda s, x: x[:1], X, X * 2, donate=(0,))
case("names", lambda params, x: {"y": x @ params["w"] + params["b"], "n": params["b"]},
     {"w": Y, "b": Y[0]}, X)
case("empty_arrays", lambda x: (x[:0], jnp.concatenate([x[:0], x]), jnp.sum(x[:0], 0)), X)
case("rank_zero", lambda x: (jnp.expand_dims(x, 0), x.astype(np.int32), x + 1), F(2.5))

MESH = jax.make_mesh((1,), ("x",), axis_types=(jax.sharding.AxisType.Auto,))
SPEC = jax.sharding.PartitionSpec
case(
    "collectives",
    jax.shard_map(lambda a:
                  (lax.psum(a, "x"), lax.all_gather(a, "x"), lax.axis_index("x"), lax.pmax(a, "x"),
                   lax.psum_scatter(a, "x", tiled=True), lax.all_to_all(a, "x", 0, 1, tiled=True),
                   lax.ppermute(a, "x", [(0, 0)])),
                  mesh=MESH,
                  in_specs=SPEC("x"),
                  out_specs=(SPEC(), SPEC("x"), SPEC(), SPEC(), SPEC("x"), SPEC("x"), SPEC("x")),
                  check_vma=False), X)
case("sharded",
     lambda x: lax.with_sharding_constraint(x * 2, jax.sharding.NamedSharding(MESH, SPEC("x"))), X)

# --- library ---
case("approximate_top_k", lambda x:
     (lax.approx_max_k(x, 2), lax.approx_min_k(x, 3, aggregate_to_topk=False)), X)
case(
    "fft", lambda x: (jnp.fft.fft(x), jnp.fft.ifft(x), jnp.fft.rfft(x),
                      jnp.fft.irfft(jnp.fft.rfft(x)), jnp.fft.fft2(x)), draw("f", (4, 8), F))
A = X @ X.T + 4 * np.eye(4, dtype=F)
case("cholesky", lambda a: lax.linalg.cholesky(a, symmetrize_input=False), A)
case(
    "solve", lambda a, x:
    (jnp.linalg.solve(a, x), jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(a), x)), A, X)
case(
    "triangular", lambda a, x:
    (lax.linalg.triangular_solve(a, x, left_side=True, lower=True),
     lax.linalg.triangular_solve(a, x.T, transpose_a=True, unit_diagonal=True)), A, X)
case(
    "lu_qr", lambda a:
    (lax.linalg.lu(a)[0], jnp.abs(jnp.linalg.qr(a)[1]), jnp.linalg.inv(a), jnp.linalg.det(a)), A)
case("eigh_svd", lambda a: (jnp.linalg.eigh(a)[0], jnp.linalg.svd(a)[1], jnp.linalg.pinv(a)), A)
KEY = np.uint32([1, 2])
case(
    "threefry", lambda k:
    (jax.random.uniform(jax.random.wrap_key_data(k),
                        (5, )), jax.random.normal(jax.random.wrap_key_data(k), (3, 2)),
     jax.random.randint(jax.random.wrap_key_data(k), (4, ), 0, 9)), KEY)
case("permutation", lambda k: jax.random.permutation(jax.random.wrap_key_data(k), 9), KEY)
case("rng_bits", lambda k: lax.rng_bit_generator(k, (5, ), dtype=np.uint32),
     np.uint64([3, 4]).view(np.uint32))
case("batch_norm", lambda x: (x - x.mean(0)) / jnp.sqrt(x.var(0) + 1e-5), X)
