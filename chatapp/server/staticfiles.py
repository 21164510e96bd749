"""Static files whose names contain a hash of their content, so that browsers may keep them."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # the base class is untyped
    """Puts the hashed names into the imports of ES modules, too."""

    support_js_module_import_aggregation = True
