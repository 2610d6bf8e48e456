# SPDX-License-Identifier: BSL-1.0
"""The kernels of 18_c_abi.cpp, called by ctypes: 18_c_abi.py LIBRARY"""
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])


def floats(*values):
    return (ctypes.c_float * len(values))(*values)


x, w, b = floats(1, 2, 3, 4), floats(0.5, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0), floats(0, 0, 0)
out, gradient = floats(0, 0, 0), floats(0, 0, 0)
library.layer(x, w, b, out)
print("tanh of (0.5, 1, 0):", *(f"{value:.4f}" for value in out))
library.layer_gradient(x, w, b, gradient)
print("its derivative:     ", *(f"{value:.4f}" for value in gradient))
