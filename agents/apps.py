from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"

    def ready(self) -> None:
        from agents import checks  # noqa: F401, PLC0415 -- registers them; needs the app registry
