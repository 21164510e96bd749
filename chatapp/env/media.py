"""The storage of attached images and files: a folder, or a bucket of an S3 server."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from chatapp import env
from chatapp.env.packages import NO_EXTRA

LOCAL = "django.core.files.storage.FileSystemStorage"
S3 = "storages.backends.s3.S3Storage"
PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700


def media_storage(data_folder: Path) -> dict[str, Any]:
    """Return Django's storage settings. No file in the storage is public: views serve the files."""
    bucket = env.read("MEDIA_S3_BUCKET", str)
    return _bucket(bucket) if bucket else _folder(data_folder)


def _folder(data_folder: Path) -> dict[str, Any]:
    root = env.read("MEDIA_ROOT", env.optional(Path)) or data_folder / "media"
    options = {
        "location": str(env.folder(env.ROOT / root, "MEDIA_ROOT")),
        "file_permissions_mode": PRIVATE_FILE,
        "directory_permissions_mode": PRIVATE_FOLDER,
    }
    return {"BACKEND": LOCAL, "OPTIONS": options}


def _bucket(bucket: str) -> dict[str, Any]:
    if find_spec("storages") is None:
        raise env.EnvironmentRefused(
            f"MEDIA_S3_BUCKET in the environment: {NO_EXTRA.format(extra='s3')}"
        )
    options = {
        "bucket_name": bucket,
        "endpoint_url": env.read("MEDIA_S3_ENDPOINT", env.optional(env.origin)),
        "region_name": env.read("MEDIA_S3_REGION", str) or None,
        "access_key": env.read("MEDIA_S3_ACCESS_KEY", str) or None,
        "secret_key": env.read("MEDIA_S3_SECRET_KEY", str) or None,
        "default_acl": None,
        "file_overwrite": False,
    }
    return {"BACKEND": S3, "OPTIONS": options}
