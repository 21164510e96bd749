"""Only files that belong in a backup are unpacked; some backups are refused."""

import io
import json
import tarfile

import pytest
from django.contrib.auth.models import User
from django.core.management.base import CommandError
from django.db import connection

from chatapp.backup.archive import DATABASE, MANIFEST, SECRET_KEY, Manifest, Unusable, unpack
from chatapp.databases.schema import applied
from chatapp.management.commands.restore import refuse

GOOD = {"engine": "sqlite", "schema": [], "made": "2026-11-23T10:00:00+00:00", "format": 1}
WHOLE = {DATABASE: b"rows", SECRET_KEY: b"secret"}


def archive(path, members, about=GOOD):
    with tarfile.open(path, "w:gz") as made:
        for name, data in {**WHOLE, MANIFEST: json.dumps(about).encode(), **members}.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
    return path


@pytest.mark.parametrize(
    "name",
    ["../database", "/database", "media/../../database", "databases", "media", "secret_key/x"],
)
def test_nothing_but_what_a_backup_has_is_unpacked(tmp_path, name):
    file = archive(tmp_path / "file", {name: b"bad", "media/1e/1e.txt": b"good"})
    folder = tmp_path / "inside" / "folder"
    folder.mkdir(parents=True)

    assert unpack(file, folder).engine == "sqlite"

    found = {path for path in tmp_path.rglob("*") if path.is_file()}
    names = (MANIFEST, *WHOLE, "media/1e/1e.txt")
    assert found == {file, *(folder / name for name in names)}


def test_a_link_is_not_followed_or_made(tmp_path):
    with tarfile.open(tmp_path / "file", "w:gz") as made:
        link = tarfile.TarInfo("database")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)
    (tmp_path / "folder").mkdir()

    with pytest.raises(Unusable, match=f"it has no {MANIFEST}"):
        unpack(tmp_path / "file", tmp_path / "folder")
    assert list((tmp_path / "folder").iterdir()) == []


@pytest.mark.parametrize("place", range(1, 25))
def test_a_changed_byte_of_the_end_is_noticed(tmp_path, place):
    file = archive(tmp_path / "file", {})
    data = bytearray(file.read_bytes())
    data[-place] ^= 0xFF
    file.write_bytes(data)
    (tmp_path / "folder").mkdir()

    with pytest.raises(Unusable, match="damaged"):
        unpack(file, tmp_path / "folder")


@pytest.mark.parametrize("name", [MANIFEST, DATABASE, SECRET_KEY])
def test_an_archive_without_one_of_its_parts_is_refused(tmp_path, name):
    with tarfile.open(tmp_path / "file", "w:gz") as made:
        for other in {MANIFEST, DATABASE, SECRET_KEY} - {name}:
            made.addfile(tarfile.TarInfo(other))
    (tmp_path / "folder").mkdir()

    with pytest.raises(Unusable, match=f"it has no {name}"):
        unpack(tmp_path / "file", tmp_path / "folder")


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        pytest.param(GOOD | {"format": 2}, "It has format 2", id="later format"),
        pytest.param(GOOD | {"more": 1}, "cannot be read", id="unknown field"),
        pytest.param({}, "cannot be read", id="without fields"),
        pytest.param([1], "cannot be read", id="no object"),
    ],
)
def test_a_form_that_nobody_knows_is_refused(tmp_path, about, sentence):
    file = archive(tmp_path / "file", {}, about)
    (tmp_path / "folder").mkdir()

    with pytest.raises(Unusable, match=sentence):
        unpack(file, tmp_path / "folder")


def made(**fields):
    return Manifest(**{"engine": connection.vendor, "schema": applied(), **fields})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        pytest.param({"engine": "mysql"}, "It is of a mysql database, and", id="another engine"),
        pytest.param(
            {"schema": ["history.9999_later"]},
            r"another Vitrine \(history.9999_later\)",
            id="a newer version",
        ),
    ],
)
def test_a_backup_that_does_not_fit_is_refused(fields, sentence):
    with pytest.raises(CommandError, match=sentence):
        refuse(made(**fields), is_replaced=True)


@pytest.mark.django_db
def test_people_are_replaced_only_if_one_says_so():
    refuse(made(), is_replaced=False)
    User.objects.create_user("ada")

    with pytest.raises(CommandError, match="add --replace"):
        refuse(made(), is_replaced=False)
    refuse(made(), is_replaced=True)
