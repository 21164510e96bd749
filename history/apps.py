"""The app's start."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class HistoryConfig(AppConfig):
    name = "history"

    def ready(self) -> None:
        from history.triggers import install_triggers  # noqa: PLC0415 -- needs the app registry

        post_migrate.connect(install_triggers, sender=self)
