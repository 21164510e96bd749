"""Administration pages that need more than one app. Django looks for them here."""

from django.contrib import admin
from django.contrib.auth.models import User

from chatapp.admin.conversations import ConversationAdmin
from chatapp.admin.users import AccountAdmin
from history.models import Conversation

admin.site.register(User, AccountAdmin)
admin.site.register(Conversation, ConversationAdmin)
