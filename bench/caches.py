#!/usr/bin/env python3
"""caches.py: the arena of a decoder's step in the ways in which JAX programs spell its caches.

A step of a small model like Llama (RMS norm, rotary embedding, gated feed-forward; two layers, 64
tokens, four heads of 16, f32) with donated caches: layers stacked, concatenated, written back,
scanned over, in a fori_loop. Needs jax. A layer of both caches takes 32,768 bytes.

    python3 bench/caches.py --hlocc build/hlocc --target cortex-m4f
"""
import argparse
import json
import os
import subprocess
import tempfile

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

LAYERS, TOKENS, HEADS, WIDTH, INNER, WORDS = 2, 64, 4, 16, 128, 64
ALL = HEADS * WIDTH
_draw = np.random.default_rng(0)


def weights(*sizes):
    return jnp.asarray(_draw.standard_normal(sizes).astype(np.float32) * 0.1)


WORD = weights(WORDS, ALL)
PARAMETERS = tuple(weights(LAYERS, *sizes) for sizes in
                   [(ALL, ALL)] * 4 + [(ALL, INNER), (INNER, ALL), (ALL, INNER)])


def norm(x):
    return x * lax.rsqrt(jnp.mean(x * x) + 1e-5)


def rotated(x, at):
    half = WIDTH // 2
    angle = at / (10000.0 ** (jnp.arange(half) / half))
    a, b = x[..., :half], x[..., half:]
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * cos - b * sin, b * cos + a * sin], -1)


def layer(x, at, k, v, p, update):
    h = norm(x)
    q, new_k = (rotated((h @ w).reshape(HEADS, WIDTH), at) for w in p[:2])
    k, v = update(k, new_k, at), update(v, (h @ p[2]).reshape(HEADS, WIDTH), at)
    scores = jnp.einsum('hd,thd->ht', q, k) / np.sqrt(WIDTH)
    scores = jnp.where(jnp.arange(TOKENS)[None] <= at, scores, -1e9)
    x = x + jnp.einsum('ht,thd->hd', jax.nn.softmax(scores, -1), v).reshape(ALL) @ p[3]
    h = norm(x)
    return x + (jax.nn.silu(h @ p[4]) * (h @ p[6])) @ p[5], k, v


def by_slice(cache, new, at):
    return lax.dynamic_update_slice(cache, new[None], (at, 0, 0))


def by_index(cache, new, at):
    return cache.at[at].set(new)


def layers(x, at, k, v, update):
    ks, vs = [], []
    for n in range(LAYERS):
        x, k_n, v_n = layer(x, at, k[n], v[n], [p[n] for p in PARAMETERS], update)
        ks.append(k_n), vs.append(v_n)
    return x, ks, vs


def stacked(x, at, k, v, update=by_slice):
    x, ks, vs = layers(x, at, k, v, update)
    return x, jnp.stack(ks), jnp.stack(vs)


def concatenated(x, at, k, v):
    x, ks, vs = layers(x, at, k, v, by_slice)
    return x, jnp.concatenate([k[None] for k in ks]), jnp.concatenate([v[None] for v in vs])


def written_back(x, at, k, v):
    for n in range(LAYERS):
        x, k_n, v_n = layer(x, at, k[n], v[n], [p[n] for p in PARAMETERS], by_index)
        k, v = k.at[n].set(k_n), v.at[n].set(v_n)
    return x, k, v


def scanned(x, at, k, v, update=by_slice):
    def body(x, of_layer):
        x, k, v = layer(x, at, *of_layer, update)
        return x, (k, v)
    x, (k, v) = lax.scan(body, x, (k, v, PARAMETERS))
    return x, k, v


def counted(x, at, k, v):
    def body(n, state):
        x, k, v = state
        k_n, v_n = (lax.dynamic_index_in_dim(c, n, 0, False) for c in (k, v))
        x, k_n, v_n = layer(x, at, k_n, v_n, [p[n] for p in PARAMETERS], by_slice)
        return (x, *(lax.dynamic_update_index_in_dim(c, new, n, 0)
                     for c, new in ((k, k_n), (v, v_n))))
    return lax.fori_loop(0, LAYERS, body, (x, k, v))


SPELLINGS = {
    'stack': stacked,
    'stack, .at[].set': lambda *a: stacked(*a, by_index),
    'concatenate': concatenated,
    '.at[layer].set': written_back,
    'scan': scanned,
    'scan, .at[].set': lambda *a: scanned(*a, by_index),
    'fori_loop': counted,
}


def module_of(spelling):
    def step(token, at, k, v):
        x, k, v = spelling(WORD[token], at, k, v)
        return norm(x) @ WORD.T, k, v
    index = jax.ShapeDtypeStruct((), jnp.int32)
    cache = jax.ShapeDtypeStruct((LAYERS, TOKENS, HEADS, WIDTH), jnp.float32)
    lowered = jax.jit(step, donate_argnums=(2, 3)).lower(index, index, cache, cache)
    return lowered.compiler_ir('hlo').as_serialized_hlo_module_proto()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--hlocc', default='build/hlocc')
    parser.add_argument('--target', default='cortex-m4f')
    options = parser.parse_args()
    print('| spelling | arena, bytes | cycles, estimated |\n|---|---|---|')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'step.pb')
        for name, spelling in SPELLINGS.items():
            with open(path, 'wb') as file:
                file.write(module_of(spelling))
            text = subprocess.run([options.hlocc, 'analyze', path, '--target', options.target,
                                   '--json'], check=True, capture_output=True).stdout
            found = json.loads(text)
            found = found['targets'][0] if 'targets' in found else found
            print(f"| {name} | {found['arena_bytes']:,} | {found['expected_cycles']:,} |")


if __name__ == '__main__':
    main()
