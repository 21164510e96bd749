"""Run one generation by itself, without the server that would run others, too."""

from typing import NoReturn

from chatapp.generation.runner import Runner
from chatapp.generation.tools.other_agents import GenerationStarter
from history.models import Generation


def _no_other(generation: Generation) -> NoReturn:
    raise AssertionError(f"{generation} was not to be run")


def lone(generation: Generation) -> Runner:
    return Runner(generation, GenerationStarter(_no_other, _no_other))
