#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Looks at machine code: object_code.py OBJECT [stack-constants] [plans].

Every function of the object that is called kernel_... must be one loop, without a call (so without an allocation), and with no vector
register kept on the stack inside the loop; or it jumps to such a function. With stack-constants, the loop may read the stack, but not
write it: with 16 registers g++ lifts more constants out of a loop than it has registers for, also out of a loop written by hand. Every
function called broken_... must fail at that: it proves that the check sees something. With plans, what must be such a loop is every
function that runs a plan, not its callers: those are the user's, and are compiled at the user's level of optimization; and it may call
functions before the loop, as it does without optimization.

Every function called straight_... must have neither jumps nor calls, and keep no vector register on the stack; broken_straight_... must
fail at that. What is called even_... must be such a loop as kernel_..., and may not change how long the elements of a vector are;
broken_even_... must fail at that.
"""
import re
import subprocess
import sys


def functions(path):
    """name -> [((section, address), mnemonic, operands, relocation target)]"""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True).stdout
    found, body, section = {}, None, ""
    for line in text.splitlines():
        if line.startswith("Disassembly of section"):
            section = line.split()[-1]
        elif match := re.match(r"^[0-9a-f]+ <(.+)>:$", line):
            body = found.setdefault(match[1], [])
        elif match := re.match(r"^\s+[0-9a-f]+: R_X86_64_\S+\s+(.+)$", line):
            if body:
                body[-1] = (*body[-1][:3], match[1])
        elif match := re.match(r"^\s+([0-9a-f]+):\s+(.*)$", line):
            words = [w for w in match[2].split("#")[0].split(None, 1)]
            while words and words[0] in ("notrack", "bnd", "rep", "lock", "data16", "cs"):
                words = words[1].split(None, 1) if len(words) > 1 else []
            if words and body is not None:
                body.append(((section, int(match[1], 16)), words[0], words[1].strip() if len(words) > 1 else "", ""))
    return found


def followed(found, body):
    """The function in which this one ends, where it does nothing but to jump there."""
    starts = {other[0][0]: other for other in found.values() if other}
    while [op for _, op, *_ in body if op.startswith(("j", "call"))] == ["jmp"]:
        (section, _), _, args, relocation = next(line for line in body if line[1] == "jmp")
        target = found.get(re.sub(r"-0x[0-9a-f]+$", "", relocation)) or starts.get((section, int(args.split()[0], 16)))
        if not target or target is body:
            break
        body = target
    return body


def stack_operand(body):
    """What an operand on the stack looks like in this function."""
    frame = any(op == "mov" and args == "%rsp,%rbp" for _, op, args, _ in body)
    return re.compile(r"\((%rsp|%rbp)\b" if frame else r"\(%rsp\b")


def problems(body, stack_constants, plans):
    addresses = {address for address, *_ in body}
    stack = stack_operand(body)
    loops, calls = {}, []
    for (section, address), op, args, relocation in body:
        if op.startswith("call"):
            calls.append((address, f"calls {args} {relocation}"))
        elif op.startswith("j"):
            target = re.match(r"^([0-9a-f]+)", args)
            if not target or relocation or (section, int(target[1], 16)) not in addresses:
                yield f"jumps away: {op} {args} {relocation}"
            elif int(target[1], 16) <= address:
                start = int(target[1], 16)
                loops[start] = max(address, loops.get(start, 0))
    if len(loops) != 1:
        yield f"{len(loops)} loops"
    for address, call in calls:
        if not plans or any(start <= address <= end for start, end in loops.items()):
            yield call
    for start, end in loops.items():
        for (_, address), op, args, _ in body:
            place = stack.search(args)
            if not (start <= address <= end and place and re.search(r"%[xyz]mm", args)):
                continue
            writes = args.endswith(")") and args.rindex("(") == place.start()
            if writes or not stack_constants:
                yield f"a vector register on the stack inside the loop: {op} {args}"


def bends(body):
    stack = stack_operand(body)
    for _, op, args, relocation in body:
        if op.startswith(("j", "call")):
            yield f"{op} {args} {relocation}"
        elif stack.search(args) and re.search(r"%[xyz]mm", args):
            yield f"a vector register on the stack: {op} {args}"


def changes_of_length(body):
    for _, op, args, _ in body:
        if re.match(r"v?(pmov[sz]x|pack|punpck|pmov(wb|d[bw]|q[bwd])$)", op):
            yield f"elements become longer or shorter: {op} {args}"


def main():
    found, modes = functions(sys.argv[1]), sys.argv[2:]
    wanted = r".*run_time<.*>::execute_optimized\(" if "plans" in modes else r"(kernel|broken|straight|even)_\w+(\(|$)"
    checked = failed = 0
    for name, body in found.items():
        if not re.match(wanted, name):
            continue
        checked += 1
        is_straight = name.startswith(("straight_", "broken_straight_"))
        body = followed(found, body)
        report = set(bends(body) if is_straight else problems(body, "stack-constants" in modes, "plans" in modes))
        if name.startswith(("even_", "broken_even_")):
            report |= set(changes_of_length(body))
        report = sorted(report)
        if name.startswith("broken_"):
            report = [] if report else ["nothing wrong was found, but should be"]
        for line in report:
            print(f"{name}: {line}")
        failed += bool(report)
    print(f"{checked} functions, {failed} failed")
    sys.exit(1 if failed or not checked else 0)


if __name__ == "__main__":
    main()
