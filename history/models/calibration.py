"""What providers report of a model's tokens, next to our own count."""

from django.db import models


class TokenCalibration(models.Model):
    """One row per model. The sums fade, so that the last twenty requests or so decide.

    `history.services.settings.calibration` reads and writes it.
    """

    model = models.CharField(max_length=200, unique=True)
    requests = models.PositiveIntegerField(default=0, help_text="With credible figures, ever.")
    estimated = models.FloatField(default=0.0, help_text="Tokens counted here, fading sum.")
    reported = models.FloatField(default=0.0, help_text="Tokens by the provider, fading sum.")
    factor = models.FloatField(
        null=True, blank=True, help_text="In use; none while the model's start value is."
    )
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.model
