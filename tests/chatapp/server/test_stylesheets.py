"""The style sheets of a page are joined, and each one belongs to a joined file."""

from collections import Counter
from pathlib import Path

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.storage import FileSystemStorage

from chatapp.server.stylesheets import SHEETS, SOURCES, JoinedSheets, joined, write

ALONE = {
    "about",
    "documents",
    "import",
    "overview",
    "overview-cards",
    "overview-chart",
    "overview-failures",
    "overview-figures",
    "overview-filters",
    "overview-leading",
    "overview-reading",
    "overview-totals",
    "plain",
}  # Some pages link these themselves.
WANTED = {"keys", "memory"}  # These load when they are needed.


def after_comments(name):
    """Return the text of a source file after its last comment."""
    return (SOURCES / f"{name}.css").read_text().rpartition("*/")[2].lstrip()


def test_each_component_is_in_one_sheet():
    names = Counter(name for sheet in SHEETS.values() for name in sheet)

    assert set(names.values()) == {1}
    assert names.keys() | ALONE | WANTED == {path.stem for path in SOURCES.glob("*.css")}
    assert not names.keys() & (ALONE | WANTED)


def test_a_joined_sheet_is_a_static_file_like_any_other():
    for path, names in SHEETS.items():
        text = Path(finders.find(path)).read_text()
        assert text == joined(path)
        places = [text.index(after_comments(name)) for name in names]
        assert places == sorted(places)
        assert "*/" not in text
    assert finders.find("css/nowhere.css") is None


def test_they_are_collected_for_production(tmp_path):
    collected = StaticFilesStorage(tmp_path)
    for finder in finders.get_finders():
        for path, storage in finder.list(None):
            if path in SHEETS:
                with storage.open(path) as file:
                    collected.save(path, file)

    assert {path: (tmp_path / path).read_text() for path in SHEETS} == {
        path: joined(path) for path in SHEETS
    }


def test_what_another_process_is_writing_is_not_listed(tmp_path, monkeypatch):
    """Temporary files may vanish before anybody reads them."""
    monkeypatch.setattr(JoinedSheets, "storage", FileSystemStorage(tmp_path))
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "page.css.4711").touch()

    assert {path for path, _ in JoinedSheets().list(None)} == SHEETS.keys()


def test_a_sheet_whose_source_has_changed_is_joined_again(tmp_path):
    file = tmp_path / "css" / "page.css"
    file.parent.mkdir()
    file.write_text("as it was")

    write("css/page.css", FileSystemStorage(tmp_path))

    assert file.read_text() == joined("css/page.css")
    assert [path.name for path in file.parent.iterdir()] == ["page.css"]
