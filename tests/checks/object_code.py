#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Looks at machine code: object_code.py OBJECT [stack-constants].

Every function of the object that is called kernel_... must be one loop, without a call (so without an allocation), and with no vector
register kept on the stack inside the loop. With stack-constants, the loop may read the stack, but not write it: with 16 registers g++
lifts more constants out of a loop than it has registers for, also out of a loop written by hand. Every function called broken_... must fail at that: it proves that the check sees something.
"""
import re
import subprocess
import sys


def functions(path):
    """name -> [(address, mnemonic, operands, relocation target)]"""
    text = subprocess.run(["objdump", "-dr", "--no-show-raw-insn", "-C", path], capture_output=True, text=True, check=True).stdout
    found, body = {}, None
    for line in text.splitlines():
        if match := re.match(r"^[0-9a-f]+ <(.+)>:$", line):
            body = found.setdefault(match[1], [])
        elif match := re.match(r"^\s+[0-9a-f]+: R_X86_64_\S+\s+(\S+)", line):
            if body:
                body[-1] = (*body[-1][:3], match[1])
        elif match := re.match(r"^\s+([0-9a-f]+):\s+(.*)$", line):
            words = [w for w in match[2].split("#")[0].split(None, 1)]
            while words and words[0] in ("notrack", "bnd", "rep", "lock", "data16", "cs"):
                words = words[1].split(None, 1) if len(words) > 1 else []
            if words and body is not None:
                body.append((int(match[1], 16), words[0], words[1].strip() if len(words) > 1 else "", ""))
    return found


def problems(body, stack_constants):
    addresses = {address for address, *_ in body}
    frame = any(op == "mov" and args == "%rsp,%rbp" for _, op, args, _ in body)
    stack = re.compile(r"\((%rsp|%rbp)\b" if frame else r"\(%rsp\b")
    loops = {}
    for address, op, args, relocation in body:
        if op.startswith("call"):
            yield f"calls {args} {relocation}"
        elif op.startswith("j"):
            target = re.match(r"^([0-9a-f]+)", args)
            if not target or relocation or int(target[1], 16) not in addresses:
                yield f"jumps away: {op} {args} {relocation}"
            elif int(target[1], 16) <= address:
                start = int(target[1], 16)
                loops[start] = max(address, loops.get(start, 0))
    if len(loops) != 1:
        yield f"{len(loops)} loops"
    for start, end in loops.items():
        for address, op, args, _ in body:
            place = stack.search(args)
            if not (start <= address <= end and place and re.search(r"%[xyz]mm", args)):
                continue
            writes = args.endswith(")") and args.rindex("(") == place.start()
            if writes or not stack_constants:
                yield f"a vector register on the stack inside the loop: {op} {args}"


def main():
    found = functions(sys.argv[1])
    checked = failed = 0
    for name, body in found.items():
        name = name.split("(")[0]
        if not re.match(r"(kernel|broken)_\w+$", name):
            continue
        checked += 1
        report = sorted(set(problems(body, "stack-constants" in sys.argv[2:])))
        if name.startswith("broken_"):
            report = [] if report else ["nothing wrong was found, but should be"]
        for line in report:
            print(f"{name}: {line}")
        failed += bool(report)
    print(f"{checked} functions, {failed} failed")
    sys.exit(1 if failed or not checked else 0)


if __name__ == "__main__":
    main()
