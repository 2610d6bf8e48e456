# SPDX-License-Identifier: BSL-1.0
"""Formatters for LLDB: (lldb) command script import exprax_lldb.py. Then `v x` shows f32[2,3] and the rows for an array or a view, and dtype,
shape and number for a traced value. See README.md."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import exprax_types as names  # noqa: E402

sys.path.pop(0)


def canonical(value):
    kind = value.GetType().GetCanonicalType()
    return (kind.GetDereferencedType() if kind.IsReferenceType() else kind).GetUnqualifiedType()


def elements_of(value):
    """(address of the first element or 0, the type of elements or None)"""
    data = value.GetChildMemberWithName("data_")
    if data.IsValid():
        return data.GetValueAsUnsigned(), data.GetType().GetPointeeType()
    storage = value.GetChildMemberWithName("storage_")
    elements, held = (storage.GetChildMemberWithName(name) for name in ("elements_", "held_"))
    if elements.IsValid():
        return elements.GetLoadAddress(), elements.GetType().GetArrayElementType()
    if held.IsValid():
        return held.GetValueAsUnsigned(), storage.GetType().GetCanonicalType().GetTemplateArgumentType(0)
    return 0, None


class array_children:
    """array and view: the rows; in them the elements, in row-major order."""

    def __init__(self, value, _):
        self.value = value.GetNonSyntheticValue()
        self.update()

    def update(self):
        _, self.dims = names.array_type(canonical(self.value).GetName())
        self.first, self.row = elements_of(self.value)
        if self.row is None:
            return False
        self.row = self.row.GetCanonicalType().GetUnqualifiedType()
        for dim in reversed(self.dims[1:]):
            self.row = self.row.GetArrayType(dim)
        return False

    def has_children(self):
        return self.num_children() > 0

    def num_children(self):
        return self.dims[0] if self.first and self.dims and names.count(self.dims) > 0 else 0

    def get_child_index(self, name):
        return int(name.strip("[]"))

    def get_child_at_index(self, index):
        return self.value.CreateValueFromAddress(f"[{index}]", self.first + index * self.row.GetByteSize(), self.row)


def array_summary(value, _):
    value = value.GetNonSyntheticValue()
    dtype, dims = names.array_type(canonical(value).GetName())
    text = names.shown_type(dtype, dims)
    first, kind = elements_of(value)
    if names.count(dims) > 0 and not first:
        return text + " (no elements: it was moved from)"
    if dims:
        return text
    element = value.CreateValueFromAddress("element", first, kind)
    return f"{text} {element.GetValue() or element.GetSummary()}"


def expr_summary(value, _):
    value = value.GetNonSyntheticValue()
    tape = value.GetChildMemberWithName("tape_").GetValueAsUnsigned()
    number = value.GetChildMemberWithName("id_").GetValueAsSigned()
    text = names.shown_type(*names.array_type(canonical(value).GetName()))
    return f"{text}, " + (f"value {number} of tape {tape:#x}" if tape else "no value yet")


def aval_summary(value, _):
    value = value.GetNonSyntheticValue()
    dtype = value.GetChildMemberWithName("type").GetValue()
    dims = value.GetChildMemberWithName("dims")
    rank = value.GetChildMemberWithName("rank").GetValueAsSigned()
    weak = value.GetChildMemberWithName("weak").GetValueAsUnsigned()
    shown = ("~" if weak else "") + {"b1": "bool", "key": "key<fry>"}.get(dtype, dtype)
    return names.shown_type(shown, [dims.GetChildAtIndex(i).GetValueAsSigned() for i in range(rank)])


def pointed(pointer, index):
    """pointer[index]"""
    kind = pointer.GetType().GetPointeeType()
    return pointer.CreateValueFromAddress("item", pointer.GetValueAsUnsigned() + index * kind.GetByteSize(), kind)


def handle_summary(value, _):
    value = value.GetNonSyntheticValue()
    tape, number = value.GetChildMemberWithName("on"), value.GetChildMemberWithName("id").GetValueAsSigned()
    at = tape.GetValueAsUnsigned()
    if at == 0 or number < 0:
        return f"tape {at:#x}" if at else "no value yet"
    tables = [tape.GetChildMemberWithName(name).GetChildMemberWithName("at") for name in ("values", "avals")]
    kind = pointed(tables[0], number).GetChildMemberWithName("type").GetValueAsSigned()
    return f"{aval_summary(pointed(tables[1], kind), None)}, value {number} of tape {at:#x}"


def half_summary(value, _):
    bits = value.GetNonSyntheticValue().GetChildMemberWithName("bits_").GetValueAsUnsigned()
    return f"{names.half(bits, canonical(value).GetName().endswith('bfloat16')):.7g}"


def key_summary(value, _):
    bits = value.GetNonSyntheticValue().GetChildMemberWithName("bits").GetValueAsUnsigned()
    return f"key({bits & 0xffffffff}, {bits >> 32})"


def __lldb_init_module(debugger, _):
    here = __name__
    arrays, exprs = "^exprax::(array|view)<.*>$", "^exprax::(expr|deferred)<.*>$"
    commands = [f'type synthetic add -w exprax -l {here}.array_children -x "{arrays}"', f'type summary add -w exprax -e -F {here}.array_summary -x "{arrays}"']
    commands += [f'type summary add -w exprax -F {here}.expr_summary -x "{exprs}"']
    for kind, of in ("detail::handle", "handle"), ("aval", "aval"), ("float16", "half"), ("bfloat16", "half"), ("prng_key", "key"):
        commands.append(f"type summary add -w exprax -F {here}.{of}_summary exprax::{kind}")
    for command in [*commands, "type category enable exprax"]:
        debugger.HandleCommand(command)
