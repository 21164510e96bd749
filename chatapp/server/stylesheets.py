"""Join the style sheets of a page into one file: one request instead of thirty, and half as many
bytes when compressed.

Each component has a file of its own in static/css. The joined files are static files like any
other: `{% static 'css/page.css' %}`.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseStorageFinder
from django.core.files.storage import FileSystemStorage, Storage

from chatapp.server.joined.writing import write as write_joined

COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
SOURCES = settings.BASE_DIR / "static" / "css"
PAGE = """
    tokens base layout controls sidebar chats signs choosing found hits icons header transcript
    answer editing cut notice rail prose highlight tool thought network approval verdict marks
    composer composer-narrow follow-up attachments attached model commands welcome connect toast
    recorded
"""
INSPECTOR = """
    panel panel-strip panel-head panel-zone-links panel-first panel-advice panel-zones
    panel-settings panel-window panel-map panel-map-rows panel-map-meter panel-cost panel-whatif
    panel-whatif-chart panel-experiments panel-timeline panel-raw
"""
ADMINISTRATION = """
    admin-colours admin-head admin-page admin-list admin-form admin-folds admin-rows admin-preview
    admin-test
"""
SHEETS = {
    "css/page.css": tuple(PAGE.split()),
    "css/inspector.css": tuple(INSPECTOR.split()),
    "css/administration.css": tuple(ADMINISTRATION.split()),
}


class JoinedSheets(BaseStorageFinder):
    """Finds the joined files. A file is written on demand, if its sources have changed."""

    storage = FileSystemStorage(settings.DATA_DIR / "sheets")

    def find(self, path: str, *args: Any, **kwargs: Any) -> Any:
        if path in SHEETS:
            write(path, self.storage)
        return super().find(path, *args, **kwargs)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """List the joined files, but not from their folder: another process may be writing it."""
        for path in SHEETS:
            write(path, self.storage)
            yield path, self.storage


def write(path: str, storage: FileSystemStorage) -> None:
    write_joined(Path(storage.path(path)), joined(path))


def joined(path: str) -> str:
    """Return the text of a joined file: its sources, in the order of SHEETS, without comments."""
    text = "".join((SOURCES / f"{name}.css").read_text() for name in SHEETS[path])
    return COMMENT.sub("", text)
