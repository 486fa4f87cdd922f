"""README's picture: the report that `hlocc analyze` writes of a keyword spotter, as Chromium shows
it.

    picture.py HLOCC docs/report.png
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main():
    hlocc, out = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        sys.exit("chromium is not installed")
    with tempfile.TemporaryDirectory(prefix="hlocc_picture_") as folder:
        page = pathlib.Path(folder) / "report.html"
        subprocess.run([
            hlocc, "analyze", ROOT / "tests/data/models/kws_dscnn.snapshot.pb", "--target",
            "cortex-m4f", "--name", "acme::Kws", "--html", page, "-q"
        ],
                       check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run([
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--window-size=900,640", "--blink-settings=preferredColorScheme=1",
            f"--user-data-dir={folder}/profile", f"--screenshot={out}",
            page.as_uri()
        ],
                       check=True,
                       stderr=subprocess.DEVNULL)


main()
