"""radv.py GPU_COMPILE INDEX.json [CASE...]: the shaders of the row vulkan-radv through Mesa's
compiler for AMD's GPUs, without one (RADV's null device): registers, spills and bytes of each
case's shaders, and how long init takes with and without what the driver kept.

Fails if a shader does not compile, spills to memory (what does not fit into scalar registers goes
to vector registers first), or is compiled again although the driver kept it. Ends with 77 where Mesa's driver (Debian's mesa-vulkan-drivers) is not.
"""
import os
import pathlib
import re
import subprocess
import sys

FAMILIES = ("raven", "navi21", "gfx1100")  # GCN 5, RDNA 2, RDNA 3
DRIVER = pathlib.Path("/usr/share/vulkan/icd.d/radeon_icd.x86_64.json")
COLUMNS = ("VGPRs", "SGPRs", "Spilled VGPRs", "Spilled SGPRs", "LDS size", "Code size")


def compiled(family, command):
    """What the driver says of each shader, by case, and the lines of gpu_compile."""
    ran = subprocess.run(command,
                         capture_output=True,
                         text=True,
                         check=False,
                         env={
                             **os.environ, "RADV_FORCE_FAMILY": family,
                             "VK_ICD_FILENAMES": str(DRIVER),
                             "VK_DRIVER_FILES": str(DRIVER),
                             "RADV_DEBUG": "shaderstats",
                             "MESA_SHADER_CACHE_DISABLE": "1"
                         })
    if ran.returncode == 4:
        print(ran.stdout)
        sys.exit(77)
    if ran.returncode != 0:
        sys.exit(ran.stdout + ran.stderr[-2000:])
    return ran.stderr, ran.stdout.splitlines()


def by_case(said):
    """(case, how many shaders it has, rows of numbers, how many were compiled again)."""
    for text in re.split(r"^case ", said, flags=re.M)[1:]:
        name, shaders = re.match(r"(\S+), (\d+) shaders", text).groups()
        cold, _, cached = text.partition("\ncached\n")
        rows = [{
            column: int(re.search(rf"^{column}: (\d+)", block, re.M)[1])
            for column in COLUMNS
        } for block in re.split(r"\*\*\* SHADER STATS \*\*\*", cold)[1:]]
        yield name, int(shaders), rows, cached.count("SHADER STATS")


def main():
    if not DRIVER.exists():
        sys.exit(77)
    faults = []
    print("| family | case | shaders | VGPRs | SGPRs | spilled V, S | LDS, bytes | code, bytes |"
          " init cold, cached, ms |\n|---|---|---:|---:|---:|---:|---:|---:|---:|")
    for family in FAMILIES:
        said, lines = compiled(family, sys.argv[1:])
        times = dict(
            re.match(r"(\S+): .*cold ([\d.]+) ms, cached ([\d.]+) ms", line).group(1, 0)
            for line in lines if " cold " in line)
        for name, shaders, rows, again in by_case(said):
            if shaders == 0:
                continue
            most = {column: max(row[column] for row in rows) for column in COLUMNS}
            spilled = f"{most['Spilled VGPRs']}, {most['Spilled SGPRs']}"
            cold, cached = re.search(r"cold ([\d.]+) ms, cached ([\d.]+) ms", times[name]).groups()
            print(f"| {family} | {name} | {shaders} | {most['VGPRs']} | {most['SGPRs']} | {spilled}"
                  f" | {most['LDS size']} | {sum(row['Code size'] for row in rows)} |"
                  f" {cold}, {cached} |")
            if most["Spilled VGPRs"]:
                faults.append(f"{family} {name}: a shader spills")
            # Two that only the driver finds equal are compiled once.
            if not 0 < len(rows) <= shaders or again:
                faults.append(f"{family} {name}: {len(rows)} of {shaders} shaders were compiled,"
                              f" and {again} of them again")
    print("\n".join(faults) or "all shaders compile, none spills to memory, what was kept is not "
          "compiled again")
    sys.exit(1 if faults else 0)


main()
