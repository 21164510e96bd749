"""Links to set a new password: each works once, until it expires or its account's user signs in."""

from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from chatapp.server.origins import public_address


def reset_link(user: User, origin: str = "") -> str:
    """Make a reset link. It begins with PUBLIC_URL, else `origin`, else this machine's address."""
    return link_for(user, default_token_generator.make_token(user), origin)


def link_for(user: User, token: str, origin: str = "") -> str:
    place = {"uidb64": urlsafe_base64_encode(force_bytes(user.pk)), "token": token}
    address = public_address("127.0.0.1", 8000, origin)
    return f"{address}{reverse('password_reset_confirm', kwargs=place)}"
