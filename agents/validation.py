"""What the models here check alike before they are saved."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.module_loading import import_string

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
    if model and (fault := model_fault(model)):
        raise ValidationError({"model": f"{model}: {fault}"})


def model_fault(model: str) -> str:
    """Why a model cannot be asked at all, as `MODEL_FAULT` says; empty where it might be.

    A model that the catalogue does not list is no fault: many a local one is not.
    """
    fault: str = import_string(settings.MODEL_FAULT)(model)
    return fault
