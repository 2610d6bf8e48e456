# SPDX-License-Identifier: BSL-1.0
"""Pretty-printers for GDB: (gdb) source exprax_gdb.py. Then `print x` shows f32[2,3] = {{1, 2, 3}, {4, 5, 6}} for an array or a view, and
dtype, shape and number for a traced value. See README.md."""
import os
import sys

import gdb
import gdb.printing
import gdb.types

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import exprax_types as names  # noqa: E402

sys.path.pop(0)


class array_printer:
    """array and view: the elements as nested lists, in row-major order."""

    def __init__(self, value, name):
        self.dtype, self.dims = names.array_type(name)
        self.first = self.first_element(value)

    @staticmethod
    def first_element(value):
        """A pointer to the elements, or None."""
        fields = {field.name for field in value.type.strip_typedefs().fields()}
        if "data_" in fields:
            return value["data_"]
        storage = value["storage_"]
        kinds = {field.name for field in storage.type.strip_typedefs().fields()}
        if "elements_" in kinds:
            elements = storage["elements_"]
            return elements.address.cast(elements.type.target().pointer()) if elements.address else None
        if "held_" in kinds:
            return storage["held_"].cast(storage.type.strip_typedefs().template_argument(0).pointer())
        return None

    def is_empty(self):
        return self.first is None or int(self.first) == 0

    def to_string(self):
        text = names.shown_type(self.dtype, self.dims)
        if names.count(self.dims) > 0 and self.is_empty():
            return text + " (no elements: it was moved from)"
        return text if self.dims else f"{text} {self.first.dereference()}"

    def children(self):
        if not self.dims or self.is_empty() or names.count(self.dims) == 0:
            return
        row = self.first.type.target().unqualified()
        for dim in reversed(self.dims[1:]):
            row = row.array(dim - 1)
        rows = self.first.cast(row.pointer())
        for i in range(self.dims[0]):
            yield str(i), (rows + i).dereference()

    def display_hint(self):
        return "array" if self.dims else None


class expr_printer:
    """A traced value: its type, and its number on the tape that records it."""

    def __init__(self, value, name):
        self.value, self.type = value, names.shown_type(*names.array_type(name))

    def to_string(self):
        tape = int(self.value["tape_"])
        return f"{self.type}, " + (f"value {int(self.value['id_'])} of tape {tape:#x}" if tape else "no value yet")


class handle_printer:
    def __init__(self, value, _):
        self.value = value

    def to_string(self):
        tape, number = self.value["on"], int(self.value["id"])
        if int(tape) == 0:
            return "no value yet"
        if number < 0:
            return f"tape {int(tape):#x}"
        aval = tape["avals"]["at"][tape["values"]["at"][number]["type"]]
        return f"{aval_text(aval)}, value {number} of tape {int(tape):#x}"


def aval_text(aval):
    dtype = str(aval["type"]).split("::")[-1]
    dims = [int(aval["dims"][i]) for i in range(int(aval["rank"]))]
    return names.shown_type(("~" if aval["weak"] else "") + {"b1": "bool", "key": "key<fry>"}.get(dtype, dtype), dims)


class aval_printer:
    def __init__(self, value, _):
        self.value = value

    def to_string(self):
        return aval_text(self.value)


class half_printer:
    def __init__(self, value, name):
        self.value, self.is_brain = value, name.endswith("bfloat16")

    def to_string(self):
        return f"{names.half(int(self.value['bits_']), self.is_brain):.7g}"


class key_printer:
    def __init__(self, value, _):
        self.bits = int(value["bits"])

    def to_string(self):
        return f"key({self.bits & 0xffffffff}, {self.bits >> 32})"


class printers(gdb.printing.PrettyPrinter):
    TEMPLATES = {"array": array_printer, "view": array_printer, "expr": expr_printer, "deferred": expr_printer}
    CLASSES = {"exprax::detail::handle": handle_printer, "exprax::aval": aval_printer, "exprax::float16": half_printer}
    CLASSES |= {"exprax::bfloat16": half_printer, "exprax::prng_key": key_printer}

    def __init__(self):
        super().__init__("exprax")

    def __call__(self, value):
        name = gdb.types.get_basic_type(value.type).name or ""
        if name in self.CLASSES:
            return self.CLASSES[name](value, name)
        for template, printer in self.TEMPLATES.items():
            if names.is_plain(name, template):
                return printer(value, name)
        return None


gdb.printing.register_pretty_printer(gdb.current_objfile(), printers(), replace=True)
