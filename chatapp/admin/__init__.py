"""The administration's pages for what no other app has. Django looks for them here."""

from django.contrib import admin
from django.contrib.auth.models import User

from chatapp.admin.users import PersonAdmin

admin.site.register(User, PersonAdmin)
