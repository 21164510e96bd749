"""A bucket stores, returns and deletes pictures, by signed requests."""

import pytest

from history.services.access import Actor
from history.services.media.attaching import remove
from history.services.media.reading import picture_of_unsent
from tests.attached import attach_picture, picture

ADA = Actor(visitor="a" * 32)


@pytest.mark.django_db(transaction=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_picture_is_kept_read_and_deleted_in_a_bucket(bucket, media_folder):
    attachment = attach_picture(ADA, "map")

    (path,) = bucket.kept
    assert path.startswith("/pictures/")
    assert bucket.kept[path] == picture(text="map")
    assert picture_of_unsent(ADA, attachment.pk).data == picture(text="map")
    remove(ADA, attachment.pk)
    assert bucket.kept == {}
    assert all("Credential=key/" in each for each in bucket.signed)
    assert not [path for path in media_folder.rglob("*") if path.is_file()]
