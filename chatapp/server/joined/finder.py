"""Find the files in static/, with joined scripts in place of the sources with the same names."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.core.files.storage import FileSystemStorage, Storage

from chatapp.server.joined.joining import joined
from chatapp.server.joined.writing import write

SOURCES = settings.BASE_DIR / "static" / "js"


class JoinedScripts(FileSystemFinder):
    """Finds the joined scripts or, with DEBUG, their sources, so that a reload shows changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.joined = FileSystemStorage(settings.DATA_DIR / "scripts")

    def find(self, path: str, *args: Any, **kwargs: Any) -> Any:
        if path in (texts := self._texts()):
            return self._written(path, texts[path])
        return super().find(path, *args, **kwargs)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        texts = self._texts()
        for path, storage in super().list(ignore_patterns):
            if path in texts:
                self._written(path, texts[path])
                yield path, self.joined
            else:
                yield path, storage

    def _texts(self) -> dict[str, str]:
        if settings.DEBUG:
            return {}
        return {f"js/{name}.js": text for name, text in joined(SOURCES).items()}

    def _written(self, path: str, text: str) -> str:
        file = self.joined.path(path)
        write(Path(file), text)
        return file
