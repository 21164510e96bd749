"""What has versions: each save is one, and they are counted."""

from typing import Any

from django.db import models


class Counted(models.Model):
    """`version` is that of the newest save."""

    version = models.PositiveIntegerField(default=0, editable=False)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A revert is a save of old values: the version still goes up."""
        rows = type(self)._base_manager.filter(pk=self.pk)
        self.version = (rows.values_list("version", flat=True).first() or 0) + 1
        super().save(*args, **kwargs)
