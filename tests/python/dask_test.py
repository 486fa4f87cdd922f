"""hlocc.matrix on an engine that exists: two worker processes of Dask's local cluster make what one
process makes, file by file."""
import pathlib
import tempfile
import unittest

from distributed import Client, LocalCluster

import hlocc

MODELS = pathlib.Path(__file__).resolve().parents[1] / "data/models"


class Dask(unittest.TestCase):
    def test_cells_and_files(self):
        models = {
            "ekf": MODELS / "ekf.snapshot.pb",
            "mlp": hlocc.export(MODELS / "mlp_digits.snapshot.pb"),
            "pid": MODELS / "pid_bank.snapshot.pb"
        }
        targets = ["cortex-m0", "rv32imc"]
        with tempfile.TemporaryDirectory() as name, LocalCluster(
                n_workers=2, threads_per_worker=1,
                dashboard_address=None) as cluster, Client(cluster) as client:
            folder = pathlib.Path(name)
            here = hlocc.matrix(models, targets, out=folder / "here", verify=False)
            spread = hlocc.matrix(models,
                                  targets,
                                  out=folder / "spread",
                                  verify=False,
                                  executor=client.get_executor(),
                                  shards=4)
            self.assertTrue(spread)
            self.assertEqual([(cell.id, cell.flash_bytes) for cell in spread],
                             [(cell.id, cell.flash_bytes) for cell in here])
            files = sorted(
                path.relative_to(folder / "here") for path in (folder / "here").glob("*/*"))
            self.assertEqual(len(files), 18)
            for path in files:
                self.assertEqual((folder / "here" / path).read_bytes(),
                                 (folder / "spread" / path).read_bytes())
            with self.assertRaises(hlocc.HloccError) as caught:
                hlocc.matrix(models, ["cortex-m00"], executor=client.get_executor())
            self.assertIn("cortex-m00", caught.exception.message)


if __name__ == "__main__":
    unittest.main()
