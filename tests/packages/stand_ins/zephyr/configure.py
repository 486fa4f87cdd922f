"""configure.py MODULE PRJ_CONF SYMBOL...: the module's Kconfig beside symbols of Zephyr's that are
y; prints CONFIG_NAME=y of each that is. The module.yml must be one by the rules of
zephyr/scripts/zephyr_module.py, as far as its keys go."""
import os
import pathlib
import sys
import tempfile

import kconfiglib
import yaml

ZEPHYRS = (
    "CPU_CORTEX_M0 CPU_CORTEX_M4 CPU_CORTEX_M7 FPU FP_HARDABI CPU_HAS_FPU_DOUBLE_PRECISION RISCV "
    "64BIT RISCV_ISA_EXT_M RISCV_ISA_EXT_A "
    "RISCV_ISA_EXT_F RISCV_ISA_EXT_D RISCV_ISA_EXT_C FLOAT_HARD XTENSA PRINTK").split()
module, prj, wanted = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
rules = yaml.safe_load((module / "zephyr/module.yml").read_text())
assert set(rules) <= {"name", "build", "samples", "tests", "boards", "blobs", "security"}, rules
assert set(rules["build"]) <= {"cmake", "kconfig", "depends", "settings"}, rules
assert (module / rules["build"]["cmake"] /
        "CMakeLists.txt").is_file() and (module / rules["build"]["kconfig"]).is_file()
assert all((module / sample).is_dir() for sample in rules["samples"])
with tempfile.TemporaryDirectory() as folder:
    text = "".join(f"config {name}\n\tbool \"{name}\"\n"
                   for name in ZEPHYRS) + f'source "{module}/{rules["build"]["kconfig"]}"\n'
    pathlib.Path(folder, "Kconfig").write_text(text)
    os.environ["srctree"] = "/"
    kconfig = kconfiglib.Kconfig(os.path.join(folder, "Kconfig"), warn_to_stderr=False)
    for name in " ".join(wanted).split():
        kconfig.syms[name].set_value("y")
    kconfig.load_config(prj, replace=False)
    if kconfig.warnings:
        sys.exit("\n".join(kconfig.warnings))
    for symbol in kconfig.unique_defined_syms:
        if symbol.str_value == "y":
            print(f"CONFIG_{symbol.name}=y")
