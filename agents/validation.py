"""What the models here check alike before they are saved."""

from django.core.exceptions import ValidationError

from agents.catalogue import catalogue
from history.core.settings.resolution import SettingErrors
from history.core.stages.processors import parse_levels


def check_processors(level: str, chain: object) -> None:
    """Raises ValidationError for a chain that cannot run at this level."""
    try:
        parse_levels({level: chain})
    except SettingErrors as error:
        raise ValidationError({"processors": list(error.messages)}) from error


def check_model(model: str) -> None:
    """Raises ValidationError for a model that cannot be asked; empty is the default one."""
    if model and (fault := catalogue().fault(model)):
        raise ValidationError({"model": f"{model}: {fault}"})
