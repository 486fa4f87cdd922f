"""Builds the documentation as a static site and looks that its pages ask for nothing outside: no
font, no script, no style, no picture of another host. Exit status 77: mkdocs-material cannot be
installed here.

    site.py FOLDER
"""
import html.parser
import pathlib
import re
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a page loads by itself; a link that a reader presses is another matter.
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
# Links of a page that load nothing.
LINKS = {"canonical", "next", "prev"}


class Loads(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        if tag in LOADS and of.get("rel") not in LINKS:
            self.found.append(of.get(LOADS[tag]) or "")


def outside(site):
    """Each file and what it would load from elsewhere."""
    for page in sorted(site.rglob("*.html")):
        parser = Loads()
        parser.feed(page.read_text(encoding="utf-8"))
        for place in parser.found:
            if re.match(r"(\w+:)?//", place):
                yield page.relative_to(site), place
    for style in sorted(site.rglob("*.css")):
        for place in re.findall(r"(?:url\(|@import\s*)[\"']?((?:https?:)?//[^\"')]+)",
                                style.read_text(encoding="utf-8")):
            yield style.relative_to(site), place


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    venv.create(folder / "venv", with_pip=True)
    if subprocess.run([folder / "venv/bin/pip", "install", "--quiet", "mkdocs-material==9.6.14"],
                      check=False).returncode:
        return 77
    subprocess.run([
        folder / "venv/bin/mkdocs", "build", "--strict", "--quiet", "-f", ROOT / "mkdocs.yml", "-d",
        folder / "site"
    ],
                   check=True)
    found = list(outside(folder / "site"))
    for page, place in found:
        print(f"{page} would load {place}")
    print(f"{len(list((folder / 'site').rglob('*.html')))} pages, {len(found)} places outside")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
