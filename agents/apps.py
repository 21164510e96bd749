from django.apps import AppConfig
from django.conf import settings
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _

from agents.context import register_providers


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = _("Agents")

    def ready(self) -> None:
        from agents import checks  # noqa: PLC0415 -- needs the app registry
        from agents.providers import directory  # noqa: PLC0415 -- likewise

        register(checks.check_environment)
        register(checks.check_templates, Tags.database)
        directory.follow_changes()
        register_providers(settings.CONTEXT_PROVIDERS)
