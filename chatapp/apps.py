"""Django's configuration of this app."""

from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import register
from django.db.backends.signals import connection_created
from django.utils.translation import gettext_lazy as _

from agents.catalogue import register_catalogue
from agents.context import register_pool
from chatapp.env.private_files import keep_private


class ChatappConfig(AppConfig):
    name = "chatapp"

    def ready(self) -> None:
        keep_private(settings.DATABASES["default"])
        from chatapp.limits.checks import check_proxies  # noqa: PLC0415 -- likewise
        from chatapp.limits.shared_places import ContextPool  # noqa: PLC0415 -- likewise
        from chatapp.llm import catalogue  # noqa: PLC0415 -- needs the app registry
        from chatapp.overview.sums.percentiles import give_aggregate  # noqa: PLC0415 -- likewise
        from chatapp.process import receivers  # noqa: PLC0415 -- likewise

        register_catalogue(catalogue)
        register_pool(ContextPool())
        register(check_proxies)

        apps.get_app_config("auth").verbose_name = _("People")
        connection_created.connect(give_aggregate)
        receivers.connect()
