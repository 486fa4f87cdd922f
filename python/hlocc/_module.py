"""A model as Python holds it."""
from __future__ import annotations

import functools
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Sequence

from . import _native, _tool
from ._dtypes import dtype_of, plain
from ._errors import HloccError
from ._results import Analysis, File, Leaf, Library, Verification

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike


class Module:
    """A model: bytes in a format that hlocc reads, and a name for what is generated. `hlocc.export`
    makes it.

    reference: a function of the arguments' arrays that gives the results' arrays by other means
    (JAX, PyTorch, ONNX Runtime, LiteRT), or None, for `verify`. notes: what was decided when it was
    exported.
    """

    def __init__(self,
                 data: bytes,
                 name: str = "model",
                 reference: Callable[..., Sequence[np.ndarray] | None] | None = None,
                 options: dict[str, Any] | None = None,
                 notes: Sequence[str] = ()):
        self.data, self.name, self.reference, self.notes = data, name, reference, tuple(notes)
        self._options = dict(options or {})
        self.level = "2"
        self._model = _native.Model(data, name + ".pb")
        leaves = self._model.leaves()
        self.arguments = tuple(map(Leaf.of, leaves["arguments"]))
        self.results = tuple(map(Leaf.of, leaves["results"]))

    def __repr__(self) -> str:
        return f"hlocc.Module({self.name}: {', '.join(map(str, self.arguments))} -> {', '.join(map(str, self.results))})"

    def save(self, path: str | pathlib.Path) -> None:
        """Writes the bytes: a file that every verb of `hlocc` takes."""
        pathlib.Path(path).write_bytes(self.data)

    def analyze(self, target: str, **flags: Any) -> Analysis:
        """What the library for `target` will need, by layer, in bytes and cycles; `flags` are those
        of `hlocc analyze`: level="s".

        Errors: HloccError.
        """
        with self._file() as file:
            told = _tool.run("analyze", file, "--target", target, *_tool.flags_of(flags))
        return Analysis.of(told["targets"][0])

    def compile(self, target: str, out: str | pathlib.Path | None = None, **flags: Any) -> Library:
        """Library, header and manifest for `target`, written to the folder `out` if there is one;
        `flags` are those of `hlocc compile`: name="acme::Kws", level="s", ram="64K", backend="c",
        arg={0: "mfcc"}.

        Errors: HloccError, of kind "budget" where ram=, flash= or stack= is exceeded.
        """
        with self._file() as file:
            folder = pathlib.Path(file).parent / "out"
            told = _tool.run("compile", file, "--target", target, "-o", folder, "-q",
                             *_tool.flags_of({**self._options, **flags}))["targets"][0]
            files = tuple(
                File(pathlib.Path(row["path"]).name,
                     pathlib.Path(row["path"]).read_bytes()) for row in told["files"])
        library = Library(**Library.members(told),
                          files=files,
                          folder=pathlib.Path(out) if out is not None else None,
                          build=told["build"])
        if out is not None:
            library.write(out)
        return library

    def package(self, format: str, targets: Sequence[str], out: str | pathlib.Path,
                **flags: Any) -> pathlib.Path:
        """Writes a package for an ecosystem of firmware (docs/packages.md): format "cmake", "make",
        ... with a library for each target; returns its folder. `flags` are those of `hlocc
        package`: package_version="1.0.0", level="s".

        Errors: HloccError.
        """
        with self._file() as file:
            told = _tool.run("package", file, "--format", format, "-o", out, "-q",
                             *[word for name in targets for word in ("--target", name)],
                             *_tool.flags_of(flags))
        return pathlib.Path(told["folder"])

    def verify(self,
               target: str | Sequence[str],
               inputs: Sequence[ArrayLike] | None = None,
               expected: Sequence[ArrayLike] | None = None,
               rtol: float | None = None,
               atol: float | None = None,
               **flags: Any) -> Verification:
        """Runs the library for `target`, or for several, on its board in QEMU, and compares.
        `inputs`: an array a leaf; without any those of the snapshot that the model came from.
        `expected`: by default what `reference` gives (JAX, PyTorch; for a file the runtime that it
        was made for, where that is installed), else hlocc's interpreter. `rtol` and `atol` as in
        docs/verify.md; flags are those of `hlocc verify`.

        Errors: HloccError, where nothing could be run; a result that differs is none: Verification
        is then false.
        """
        names = [target] if isinstance(target, str) else target
        with self._file() as file:
            if inputs is not None:
                case = pathlib.Path(file).with_name(f"{self.name}.snapshot.pb")
                self.snapshot(case, *inputs, expected=expected)
                file = str(case)
            tolerance = {"rtol": rtol, "atol": atol}
            return Verification.of(
                _tool.run("verify", file, *[word for name in names for word in ("--target", name)],
                          *_tool.flags_of({**tolerance, **flags})))

    def snapshot(self,
                 path: str | pathlib.Path,
                 *inputs: ArrayLike,
                 expected: Sequence[ArrayLike] | None = None) -> None:
        """Writes the model with values for its arguments and results, as `hlocc verify` and `hlocc
        run` take it.

        inputs: an array a leaf; expected: as for `verify`. Errors: HloccError.
        """
        arguments = self._arrays(inputs, self.arguments, "argument")
        if expected is None and self.reference is not None:
            expected = self.reference(*arguments)
        results = None if expected is None else self._arrays(expected, self.results, "result")
        import numpy as np
        with self._file() as file:
            words: list[str] = []
            for flag, arrays in (("--input", arguments), ("--expect", results or [])):
                for i, array in enumerate(arrays):
                    values = pathlib.Path(file).with_name(f"{flag[2:]}{i}.npy")
                    np.save(values, plain(array))
                    words += [flag, f"{i}={values}"]
            _tool.run("snapshot", file, *words, "-o", path)

    def run(self, *arrays: ArrayLike) -> np.ndarray | tuple[np.ndarray, ...]:
        """Runs the model in this process, compiled for this machine when it is first run. An array
        a leaf, of the leaf's shape, cast to its type as NumPy's "same_kind" allows. One result is
        returned as it is, several as a tuple.

        Errors: HloccError, of kind "argument" for arrays that do not fit.
        """
        import numpy as np
        arguments = self._arrays(arrays, self.arguments, "argument")
        results = [np.empty(leaf.shape, dtype_of(leaf.type)) for leaf in self.results]
        self._program.run(arguments, results)
        return results[0] if len(results) == 1 else tuple(results)

    @functools.cached_property
    def _program(self) -> _native.Program:
        return self._model.program(None, self.level)

    def _arrays(self, values: Sequence[ArrayLike], leaves: Sequence[Leaf],
                what: str) -> list[np.ndarray]:
        import numpy as np
        if len(values) != len(leaves):
            raise HloccError(
                "argument",
                f"{self.name} has {len(leaves)} {what}s, and {len(values)} were given",
                notes=[", ".join(f"{leaf.name or leaf.index}: {leaf}" for leaf in leaves)])
        out = []
        for value, leaf in zip(values, leaves):
            array, dtype = np.asarray(value), dtype_of(leaf.type)
            if array.shape != leaf.shape or not np.can_cast(array.dtype, dtype, "same_kind"):
                name = f" ({leaf.name})" if leaf.name else ""
                raise HloccError(
                    "argument",
                    f"{what} {leaf.index}{name} is {leaf}, and not {array.dtype}{list(array.shape)}"
                )
            # Zero dimensions stay none.
            out.append(np.ascontiguousarray(array, dtype).reshape(leaf.shape))
        return out

    def _file(self) -> _ModelFile:
        return _ModelFile(self)


class _ModelFile:
    """The model as a file, in a folder of its own that goes with it."""

    def __init__(self, module: Module):
        self._module = module

    def __enter__(self) -> str:
        self._folder = tempfile.TemporaryDirectory(prefix="hlocc_")
        path = pathlib.Path(self._folder.name) / f"{self._module.name}.pb"
        self._module.save(path)
        return str(path)

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()
