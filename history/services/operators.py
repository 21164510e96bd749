"""Find out who runs this server: they are told what to set on it."""

from django.conf import settings
from django.contrib.auth.models import User

from history.services.access import Actor


def is_ones_own_machine() -> bool:
    """Whether whoever uses this server also runs it: only this machine reaches it, and nobody but
    the first administrator has an account.
    """
    if settings.PRODUCTION or settings.LAN:
        return False
    return not User.objects.order_by("pk")[1:2].exists()


def runs_the_server(actor: Actor) -> bool:
    """Whether the actor is on the staff or, on one's own machine, anybody."""
    return actor.is_staff or is_ones_own_machine()
