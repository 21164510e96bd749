"""The administration's pages for what no other app has. Django looks for them here."""

from chatapp.admin import users as users
