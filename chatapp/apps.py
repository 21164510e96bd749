"""The app's configuration."""

from django.apps import AppConfig
from django.conf import settings

from agents.catalogue import register_catalogue
from chatapp.env.private_files import keep_private
from chatapp.llm import catalogue


class ChatappConfig(AppConfig):
    name = "chatapp"

    def ready(self) -> None:
        keep_private(settings.DATABASES["default"])
        register_catalogue(catalogue)
        from chatapp.process import receivers  # noqa: PLC0415 -- needs the registry

        receivers.connect()
