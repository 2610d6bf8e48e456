# SPDX-License-Identifier: BSL-1.0
"""What the names of exprax's C++ types say, for the debuggers: dtype and shape of array<float, 2, 3>."""
import math
import re
import struct

NUMBERS = {"bool": "bool", "float": "f32", "double": "f64", "exprax::float16": "f16", "exprax::bfloat16": "bf16", "exprax::prng_key": "key<fry>"}
NUMBERS |= {"std::complex<float>": "c64", "std::complex<double>": "c128"}


def split(name):
    """("exprax::array", ["float", "2", "3"]) of exprax::array<float, 2, 3>."""
    head, _, rest = name.partition("<")
    arguments, depth, start = [], 0, 0
    for at, letter in enumerate(rest):
        if letter in ",>" and depth == 0:
            arguments.append(rest[start:at].strip())
            start = at + 1
        depth += (letter in "<({[") - (letter in ">)}]")
    return head.strip(), [argument for argument in arguments if argument]


def is_plain(name, template):
    return re.match(rf"exprax::{template}<.*>$", name) is not None


def dtype_of(cpp_type):
    """f32 of float; a weak type has JAX's mark, ~f32."""
    name = re.sub(r"\bconst\b", "", cpp_type).strip()
    if name.startswith("exprax::weak<"):
        return "~" + dtype_of(split(name)[1][0])
    name = re.sub(r"std::__\w+::", "std::", name)
    if name in NUMBERS:
        return NUMBERS[name]
    words = name.split()
    bits = 8 if "char" in words else 16 if "short" in words else 64 if "long" in words else 32
    return ("u" if "unsigned" in words else "i") + str(bits)


def array_type(name):
    """(dtype, dims) of array<T, dims...>, view<T, dims...>, expr<T, dims...> and deferred<Source, T, dims...>."""
    head, arguments = split(name)
    if head.endswith("::deferred"):
        arguments = arguments[1:]
    return dtype_of(arguments[0]), [int(re.match(r"-?\d+", dim)[0]) for dim in arguments[1:]]


def shown_type(dtype, dims):
    return f"{dtype}[{','.join(map(str, dims))}]"


def half(bits, is_brain):
    """The number of float16's or bfloat16's bits."""
    if is_brain:
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def count(dims):
    return math.prod(dims)
