"""Fetch the browser libraries under static/vendor/ again from npm, and verify their checksums.

`python deploy/vendor.py` downloads with the npm client and compares; `--check` compares only what
is in the repository. Either fails by naming the file that differs from static/vendor/CHECKSUMS.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

VENDOR = Path(__file__).resolve().parent.parent / "static" / "vendor"
PACKAGES = {  # Package with its exact version: file in it -> name here.
    "htmx.org@4.0.1": {"dist/htmx.min.js": "htmx-4.0.1.min.js", "LICENSE": "htmx-LICENSE.txt"},
}
SOURCE_MAP = re.compile(rb"\n?//# sourceMappingURL=\S+\s*$")  # Not shipped, so not referred to.


def checksums() -> dict[str, str]:
    lines = (VENDOR / "CHECKSUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def download() -> Iterator[tuple[str, bytes]]:
    """Each vendored file's name and content, as the registry has it now."""
    for package, files in PACKAGES.items():
        with tempfile.TemporaryDirectory() as folder:
            command = ["npm", "pack", "--silent", "--pack-destination", folder, package]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
                for member, name in files.items():
                    yield name, _content(archive, member)


def _content(archive: tarfile.TarFile, member: str) -> bytes:
    file = archive.extractfile(f"package/{member}")
    if file is None:
        raise SystemExit(f"{member} is not a file in the package.")
    return SOURCE_MAP.sub(b"\n", file.read())


def differing(contents: dict[str, bytes]) -> list[str]:
    """The files whose content is not the one that the checksums promise, missing ones included."""
    found = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    expected = checksums()
    return sorted(name for name in expected | found if expected.get(name) != found.get(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only, download nothing")
    if parser.parse_args().check:
        contents = {name: (VENDOR / name).read_bytes() for name in checksums()}
    else:
        contents = dict(download())
    if wrong := differing(contents):
        sys.exit(f"Not what static/vendor/CHECKSUMS says: {', '.join(wrong)}")
    for name, content in contents.items():
        (VENDOR / name).write_bytes(content)
    print(f"{len(contents)} vendored files are as their checksums say.")


if __name__ == "__main__":
    main()
