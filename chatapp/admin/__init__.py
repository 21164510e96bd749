"""Pages of the administration that need more than one app. Django looks for them here."""

from django.contrib import admin
from django.contrib.auth.models import User

from agents.models import AgentTemplate
from agents.providers.models import KnownModel, Provider
from chatapp.admin.agents import AgentAdmin
from chatapp.admin.conversations import ConversationAdmin
from chatapp.admin.known_models import KnownModelAdmin
from chatapp.admin.providers import ProviderAdmin
from chatapp.admin.users import AccountAdmin
from history.models import Conversation

admin.site.register(AgentTemplate, AgentAdmin)
admin.site.register(User, AccountAdmin)
admin.site.register(Conversation, ConversationAdmin)
admin.site.register(Provider, ProviderAdmin)
admin.site.register(KnownModel, KnownModelAdmin)
