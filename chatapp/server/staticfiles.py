"""Static files with their content's hash in the name, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Rewrites the imports of ES modules too."""

    support_js_module_import_aggregation = True
