# SPDX-License-Identifier: BSL-1.0
"""The kernels of 18_c_abi.cpp on NumPy's arrays, whose types and shapes ctypes checks: 18_c_abi_numpy.py LIBRARY"""
import ctypes
import sys

try:
    import numpy as np
except ImportError:
    print("no NumPy")
    sys.exit(77)


def floats(*shape):
    return np.ctypeslib.ndpointer(np.float32, shape=shape, flags="C_CONTIGUOUS")


layer_of_64 = ctypes.CDLL(sys.argv[1]).layer_of_64
layer_of_64.argtypes = [floats(64, 4), floats(4, 3), floats(3), floats(64, 3)]
layer_of_64.restype = None

random = np.random.default_rng(0)
x, w, b = (random.standard_normal(shape, dtype=np.float32) for shape in ((64, 4), (4, 3), 3))
out = np.empty((64, 3), np.float32)
layer_of_64(x, w, b, out)
if not np.allclose(out, np.tanh(x @ w + b), atol=1e-6):
    sys.exit("not what NumPy computes")
