"""What providers count as a model's tokens, next to our own count."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class TokenCalibration(models.Model):
    """The counts for one model. Older ones fade, so that about the last twenty requests decide.

    `history.services.settings.calibration` reads and writes this table.
    """

    model = models.CharField(_("model"), max_length=200, unique=True)
    requests = models.PositiveIntegerField(
        _("requests"), default=0, help_text=_("Number of requests with plausible figures.")
    )
    estimated = models.FloatField(
        _("estimated"), default=0.0, help_text=_("Decaying sum of tokens counted by Vitrine.")
    )
    reported = models.FloatField(
        _("reported"), default=0.0, help_text=_("Decaying sum of tokens reported by the provider.")
    )
    factor = models.FloatField(
        _("ratio"),
        null=True,
        blank=True,
        help_text=_("The ratio in use; empty while the model's initial value applies."),
    )
    changed = models.DateTimeField(_("changed"), auto_now=True)

    def __str__(self) -> str:
        return self.model
