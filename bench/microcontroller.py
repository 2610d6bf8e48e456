#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Instructions of microcontroller.cpp on Cortex-M4F and Cortex-M7 (armv7e-m), exprax and the plain C loop, as a table. Debian:
gcc-arm-none-eabi libstdc++-arm-none-eabi-newlib libnewlib-arm-none-eabi qemu-system-arm libboost-dev."""
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BARE = ROOT / "tests/checks/bare_metal"
CORES = {
    "Cortex-M4F": (["-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"], "mps2-an386"),
    "Cortex-M7": (["-mcpu=cortex-m7", "-mfloat-abi=hard", "-mfpu=fpv5-d16"], "mps2-an500"),
}
FLAGS = "-std=c++20 -O2 -mthumb -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -fno-threadsafe-statics -w -Wno-psabi".split()
LIMITS = "-fconstexpr-ops-limit=2147483647 -fconstexpr-loop-limit=16777216 -fconstexpr-depth=2048".split()
LINK = "--specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections -Wl,--defsym=FLASH_SIZE=4M -Wl,--defsym=RAM_SIZE=4M".split()


def main():
    print("| instructions: exprax, plain, plain / exprax | " + " | ".join(CORES) + " |\n|---" + "|---" * len(CORES) + "|")
    table = {}
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "boost").symlink_to("/usr/include/boost")
        for core, machine in CORES.values():
            program = f"{folder}/{machine}"
            sources = [str(BARE / "start.cpp"), str(ROOT / "bench/microcontroller.cpp")]
            include = [f"-I{ROOT}/include", f"-I{BARE}", "-isystem", folder]
            subprocess.run(["arm-none-eabi-g++", *FLAGS, *LIMITS, *core, *include, *sources, *LINK, "-T", str(BARE / "memory.ld"), "-o", program], check=True)
            emulator = ["qemu-system-arm", "-M", machine, "-nographic", "-icount", "shift=0", "-semihosting-config", "enable=on,target=native"]
            output = subprocess.run([*emulator, "-kernel", program], check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL).stdout
            for line in output.splitlines():
                name, ours, plain = line.split()
                table.setdefault(name, []).append(f"{ours} {plain} {int(plain) / int(ours):.2f}")
    for name, cells in table.items():
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
