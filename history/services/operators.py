"""Find out who runs this server: they are told what to set on it."""

from django.conf import settings

from history.services.access import Actor


def is_ones_own_machine() -> bool:
    """Whether whoever uses this server also runs it."""
    return not (settings.PRODUCTION or settings.LAN)


def runs_the_server(actor: Actor) -> bool:
    """Whether the actor is on the staff or, on one's own machine, anybody."""
    return actor.is_staff or is_ones_own_machine()
