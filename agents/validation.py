"""What the models here check alike before they are saved."""

from django.core.exceptions import ValidationError

from history.core.processors import parse_levels
from history.core.resolution import SettingErrors


def check_processors(level: str, chain: object) -> None:
    """Raises ValidationError for a chain that cannot run at this level."""
    try:
        parse_levels({level: chain})
    except SettingErrors as error:
        raise ValidationError({"processors": list(error.messages)}) from error
