"""The app's configuration."""

from django.apps import AppConfig
from django.conf import settings

from agents.catalogue import register_catalogue
from chatapp.env.private_files import keep_private


class ChatappConfig(AppConfig):
    name = "chatapp"

    def ready(self) -> None:
        keep_private(settings.DATABASES["default"])
        from chatapp.llm import catalogue  # noqa: PLC0415 -- needs the app registry
        from chatapp.process import receivers  # noqa: PLC0415 -- likewise

        register_catalogue(catalogue)

        receivers.connect()
