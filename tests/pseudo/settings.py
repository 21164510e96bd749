"""The app's own settings, with the pseudo-language as the only change."""

from django.utils.translation import trans_real

from chatapp.settings import *  # noqa: F403 -- all of them
from tests.pseudo.language import Pseudo

trans_real.DjangoTranslation = Pseudo  # type: ignore[misc]  # mypy wants classes to stay
