"""Django's configuration of this app."""

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

from history.extensions import register_own, register_tokenizers


class HistoryConfig(AppConfig):
    name = "history"
    verbose_name = _("Transcripts")

    def ready(self) -> None:
        from history.services.media import deleting  # noqa: PLC0415 -- as below
        from history.services.search.index import install_index  # noqa: PLC0415 -- as below
        from history.services.search.sqlite import give_functions  # noqa: PLC0415 -- as below
        from history.triggers import install_triggers  # noqa: PLC0415 -- needs the app registry

        register_own(settings.HISTORY_CUSTOM_PROCESSORS, settings.HISTORY_CUSTOM_PRUNERS)
        register_tokenizers(settings.HISTORY_TOKENIZERS)
        deleting.connect()
        connection_created.connect(give_functions)
        post_migrate.connect(install_triggers, sender=self)
        post_migrate.connect(install_index, sender=self)
