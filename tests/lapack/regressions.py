"""regressions.py FOLDER: the programs of tests/data/regressions that call geqp3, gees and geev, as
JAX lowers them for the CPU.

Needs JAX. With what it prints, `hlo_fuzz keep tests/data/regressions` takes them in, and computes
their results:

    python3 tests/lapack/regressions.py programs | xargs build/hlo_fuzz keep \
        tests/data/regressions
"""
import pathlib
import sys

import jax
import jax.numpy as jnp

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)

PROGRAMS = {
    "lapack_geev_f32": (jnp.linalg.eig, "float32", (5, 5)),
    "lapack_geev_left_c128": (lambda a: jax.lax.linalg.eig(a, compute_left_eigenvectors=True),
                              "complex128", (2, 3, 3)),
    "lapack_geev_values_f64": (jnp.linalg.eigvals, "float64", (6, 6)),
    "lapack_gees_f64": (jax.lax.linalg.schur, "float64", (5, 5)),
    "lapack_gees_c64": (lambda a: jax.scipy.linalg.schur(a, output="complex"), "float32", (4, 4)),
    "lapack_geqp3_f32": (lambda a: jax.scipy.linalg.qr(a, pivoting=True, mode="economic"),
                         "float32", (5, 3)),
    "lapack_geqp3_c128": (lambda a: jax.lax.linalg.qr(a, pivoting=True, full_matrices=False),
                          "complex128", (2, 3, 4)),
}
NOTE = "geev, gees and geqp3 had no kernels"


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (function, kind, shape) in PROGRAMS.items():
        program = jax.jit(function).lower(jnp.zeros(shape, kind)).compiler_ir("hlo")
        path = folder / f"{name}.pb"
        path.write_bytes(program.as_serialized_hlo_module_proto())
        print(f'"{path}={name}={NOTE}"')


if __name__ == "__main__":
    main()
