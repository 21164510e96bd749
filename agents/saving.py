"""The common parts of agents and networks: saves are counted, and processors are checked."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from history.core.stages.processors import parse_levels
from history.core.words.errors import SettingErrors
from history.wording.faults import word_faults


class VersionCounted(models.Model):
    """A model whose saves are counted. `version` is the number of the newest save."""

    version = models.PositiveIntegerField(_("version"), default=0, editable=False)
    changed = models.DateTimeField(_("changed"), auto_now=True)

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Save a new version. A revert saves old values as a new version, too."""
        rows = type(self)._base_manager.filter(pk=self.pk)
        self.version = (rows.values_list("version", flat=True).first() or 0) + 1
        super().save(*args, **kwargs)


def check_processors(level: str, chain: object) -> None:
    """Raise ValidationError for a chain that cannot run at this level."""
    try:
        parse_levels({level: chain})
    except SettingErrors as error:
        raise ValidationError({"processors": word_faults(error)}) from error
