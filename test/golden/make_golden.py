#!/usr/bin/env python3
"""Makes the golden outputs of the five programs: what they must compute, by NumPy in f64.

Nothing here comes from tilec: not the front end, not the evaluator, not the generator of inputs, which is
written again from its description in include/tilec/Check/Random.h. The outputs are checked in; NumPy is needed
only to make them again:

    python3 make_golden.py

Every case is one file of raw little-endian f64, the output in row-major order. Inputs are not stored: seed 1,
tensor number = place among the kernel's parameters.
"""

import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SEED = 1
MASK = (1 << 64) - 1


def mix(z):
    """The finaliser of SplitMix64, on arrays of uint64 (products wrap)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def normal(shape, dtype, tensor):
    """Inputs of a float tensor, N(0, 1), rounded to dtype."""
    one = lambda x: np.array([x & MASK], dtype=np.uint64)
    state = mix(mix(one(SEED)) ^ one(tensor + 1))
    count = math.prod(shape)
    k = np.arange(4 * count, dtype=np.uint64) + np.uint64(1)
    words = mix(state + k * np.uint64(0x9E3779B97F4A7C15)).reshape(count, 4)
    pieces = sum(((words >> np.uint64(s)) & np.uint64(0xFFFF)).astype(np.int64) for s in (0, 16, 32, 48)).sum(axis=1)
    values = (pieces - 8 * 65535).astype(np.float64) * (0.8660254037844386 / 65536)
    return values.astype(dtype).astype(np.float64).reshape(shape)


def save(name, array):
    np.ascontiguousarray(array, dtype="<f8").tofile(os.path.join(HERE, name + ".bin"))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def attention(q, k, v, scale, causal):
    s, l = q.shape[2], k.shape[2]
    scores = np.einsum("bhsd,bhld->bhsl", q, k) * scale
    if causal:  # query i sees keys up to i + (l - s)
        seen = np.arange(l)[None, :] <= np.arange(s)[:, None] + (l - s)
        scores = np.where(seen, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        p = np.exp(scores - scores.max(axis=-1, keepdims=True))
        out = np.einsum("bhsl,bhld->bhsd", p, v) / p.sum(axis=-1, keepdims=True)
    return np.nan_to_num(out, nan=0.0)  # a row that sees nothing is zero


with np.errstate(over="ignore"):
    save("vector_add", normal([37], "f4", 0) + normal([37], "f4", 1))
    save("matmul", normal([17, 23], "f2", 0) @ normal([23, 19], "f2", 1))
    save("matmul_bias_gelu", gelu(normal([9, 14], "f2", 0) @ normal([21, 14], "f2", 1).T + normal([21], "f2", 2)))
    save("softmax", softmax(normal([3, 70], "f2", 0)))
    for name, h, s, l, d, scale, causal in [
        ("attention", 2, 5, 7, 16, 0.25, False),
        ("attention_causal", 2, 7, 5, 16, 0.25, True),
        ("attention_d128", 1, 3, 300, 128, 0.0883883, False),
    ]:
        q, k, v = (normal([1, h, n, d], "f2", tensor) for tensor, n in enumerate((s, l, l)))
        save(name, attention(q, k, v, scale, causal))
