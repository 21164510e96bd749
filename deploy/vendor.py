"""Download the browser libraries again from npm, and verify their checksums.

`python deploy/vendor.py` downloads the files with the npm client and compares them; with `--check`
it checks only the files in the repository. Both name each file that differs from CHECKSUMS.
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

ROOT = Path(__file__).resolve().parent.parent
# Folder: exact package: file in the package -> file in the folder.
PACKAGES: dict[str, dict[str, dict[str, str]]] = {
    "static/vendor": {
        "htmx.org@4.0.1": {"dist/htmx.min.js": "htmx-4.0.1.min.js", "LICENSE": "htmx-LICENSE.txt"},
    },
    "tests/vendor": {
        "axe-core@4.14.1": {
            "axe.min.js": "axe.min.js",
            "LICENSE": "axe-LICENSE.txt",
            "LICENSE-3RD-PARTY.txt": "axe-LICENSE-3RD-PARTY.txt",
        },
    },
}
SOURCE_MAP = re.compile(rb"\n?//# sourceMappingURL=\S+\s*$")  # Links to source maps are removed.


def checksums(folder: str) -> dict[str, str]:
    lines = (ROOT / folder / "CHECKSUMS").read_text().splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def download(folder: str) -> Iterator[tuple[str, bytes]]:
    """Yield each vendored file's name and content, as the registry has it now."""
    for package, files in PACKAGES[folder].items():
        with tempfile.TemporaryDirectory() as packed:
            command = ["npm", "pack", "--silent", "--pack-destination", packed, package]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            with tarfile.open(next(Path(packed).glob("*.tgz"))) as archive:
                for member, name in files.items():
                    yield name, _content(archive, member)


def _content(archive: tarfile.TarFile, member: str) -> bytes:
    file = archive.extractfile(f"package/{member}")
    if file is None:
        raise SystemExit(f"{member} is not a file in the package.")
    return SOURCE_MAP.sub(b"\n", file.read())


def present(folder: str) -> dict[str, bytes]:
    """Return the vendored files in the repository, by name, with their contents."""
    files = (ROOT / folder).iterdir()
    return {file.name: file.read_bytes() for file in files if file.name != "CHECKSUMS"}


def differing(folder: str, contents: dict[str, bytes]) -> list[str]:
    """Return the names of files that are missing or differ from their checksums."""
    found = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    expected = checksums(folder)
    return sorted(name for name in expected | found if expected.get(name) != found.get(name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only, download nothing")
    only_compare = parser.parse_args().check
    for folder in PACKAGES:
        contents = present(folder) if only_compare else dict(download(folder))
        if wrong := differing(folder, contents):
            sys.exit(f"Not what {folder}/CHECKSUMS says: {', '.join(wrong)}")
        for name, content in contents.items():
            (ROOT / folder / name).write_bytes(content)
        print(f"{folder}: {len(contents)} files are as their checksums say.")


if __name__ == "__main__":
    main()
