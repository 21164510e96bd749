from django.apps import AppConfig
from django.conf import settings

from agents.context import register_providers


class AgentsConfig(AppConfig):
    name = "agents"

    def ready(self) -> None:
        from agents import checks  # noqa: F401, PLC0415 -- registers them; needs the app registry

        register_providers(settings.CONTEXT_PROVIDERS)
