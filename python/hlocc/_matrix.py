"""Many models for many targets, in this machine's processes or by any executor of
concurrent.futures."""
from __future__ import annotations

import concurrent.futures
import json
import pathlib
import tempfile
from typing import Any, Mapping, Sequence

from . import _tool
from ._errors import HloccError
from ._module import Module
from ._results import MatrixReport


def matrix(models: Mapping[str, Module | str | pathlib.Path],
           targets: Sequence[str | Mapping[str, Any]],
           out: str | pathlib.Path | None = None,
           executor: concurrent.futures.Executor | None = None,
           shards: int | None = None,
           **file: Any) -> MatrixReport:
    """Compiles each model for each target: the file of `hlocc matrix` (docs/matrix.md), whose other
    keys are keyword arguments: axes=, options=, include=, exclude=, verify=, gates=.

    models: by name, modules or paths. out: a folder for the libraries, TARGET/FILE; None: they are
    not kept. executor: runs `shards` parts (by default as many as it has workers, else 2), each
    with all it needs in its arguments, so that it may be on other machines that have hlocc: a
    ThreadPoolExecutor, Dask's Client.get_executor(). None: one process of hlocc, with one child a
    processor.

    Errors: HloccError, where the matrix itself is wrong; a cell that failed is a Cell of the
    report, which is then false.
    """
    spec = {
        **file, "models": {name: f"{name}.pb"
                           for name in models}, "targets": list(targets), "output": "out"
    }
    data = {name: _bytes_of(model) for name, model in models.items()}
    if executor is None:
        made = [_run_shard(spec, data, 0, 1)]
    else:
        count = shards or getattr(executor, "_max_workers", None) or 2
        made = [
            future.result()
            for future in [executor.submit(_run_shard, spec, data, i, count) for i in range(count)]
        ]
    for _, files in made if out is not None else ():
        for path, content in files.items():
            place = pathlib.Path(out or "") / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return _merged([report for report, _ in made])


def _bytes_of(model: Module | str | pathlib.Path) -> bytes:
    if isinstance(model, Module):
        return model.data
    try:
        return pathlib.Path(model).read_bytes()
    except OSError as why:
        raise HloccError("file", f"cannot read the file: {why.strerror}", str(model)) from None


def _run_shard(spec: dict[str, Any], data: dict[str, bytes], shard: int,
               shards: int) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The report of one part, and its files."""
    with tempfile.TemporaryDirectory(prefix="hlocc_") as name:
        folder = pathlib.Path(name)
        for model, content in data.items():
            (folder / f"{model}.pb").write_bytes(content)
        (folder / "matrix.json").write_text(json.dumps(spec))
        report = _tool.run("matrix", folder / "matrix.json",
                           *([] if shards == 1 else ["--shard", f"{shard}/{shards}"]))
        root = folder / "out"
        files = {str(path.relative_to(root)): path.read_bytes() for path in root.glob("**/*")
                 if path.is_file() and path.relative_to(root).parts[0] != ".cache"}
        return report, files


def _merged(reports: list[dict[str, Any]]) -> MatrixReport:
    if len(reports) == 1:
        return MatrixReport.of(reports[0])
    with tempfile.TemporaryDirectory(prefix="hlocc_") as folder:
        paths = [pathlib.Path(folder) / f"{i}.json" for i in range(len(reports))]
        for path, report in zip(paths, reports):
            path.write_text(json.dumps(report))
        return MatrixReport.of(_tool.run("matrix", "merge", *paths))
