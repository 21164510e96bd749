"""The app's configuration."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db.models.signals import post_save

from agents.catalogue import register_catalogue
from chatapp.env.private_files import keep_private
from chatapp.llm import catalogue


class ChatappConfig(AppConfig):
    name = "chatapp"

    def ready(self) -> None:
        keep_private(settings.DATABASES["default"])
        register_catalogue(catalogue)
        user_logged_in.connect(keep_the_visitors_chats)
        from chatapp.process import receivers  # noqa: PLC0415 -- needs the registry

        receivers.connect()
        post_save.connect(record_account, sender=settings.AUTH_USER_MODEL)


def keep_the_visitors_chats(user: Any, request: Any = None, **kwargs: Any) -> None:
    """Keep what people said as a visitor when they sign in, on the chat's page or the admin's."""
    from chatapp.accounts.sessions import begin  # noqa: PLC0415 -- needs the settings
    from history.services import access  # noqa: PLC0415 -- needs the registry

    if request is not None:
        begin(request.session)
    if request is not None and (visitor := request.session.pop(access.VISITOR, "")):
        access.adopt_visitor(user, visitor)
        request.session[access.ADOPTED] = visitor


def record_account(instance: Any, **kwargs: Any) -> None:
    from chatapp.accounts.record import saved  # noqa: PLC0415 -- needs the registry

    saved(instance, **kwargs)
