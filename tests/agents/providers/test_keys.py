"""Stored keys are always encrypted, bound to their provider, and rotated by a command."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from agents.providers.keys import KeyUnreadable, parse_secrets
from agents.providers.models import Provider

pytestmark = pytest.mark.django_db
CANARY = "sk-canary-0123456789"
OLD, NEW = "an old secret of some length, 1234", "a new secret of some length, 5678"
ELSEWHERE = "https://elsewhere.example.org/v1"


@pytest.fixture
def work(settings):
    settings.ENCRYPTION_KEYS = [OLD]
    return stored("work")


def stored(slug):
    provider = Provider(slug=slug, address="https://llm.example.org/v1")
    provider.set_key(CANARY)
    provider.save()
    return provider


def again(provider):
    return Provider.objects.get(pk=provider.pk)


def test_the_database_has_no_key_in_clear(work):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM agents_provider")
        row = str(cursor.fetchall())

    assert again(work).key == CANARY
    assert CANARY not in row + repr(work) + str(work)


def test_without_secrets_one_is_derived_from_the_secret_key(settings):
    settings.ENCRYPTION_KEYS = []
    provider = stored("work")

    assert again(provider).key == CANARY
    settings.SECRET_KEY = NEW
    with pytest.raises(KeyUnreadable):
        _ = again(provider).key


def test_a_lost_secret_is_an_error_that_names_the_provider_and_the_way_out(work, settings):
    settings.ENCRYPTION_KEYS = [NEW]

    with pytest.raises(KeyUnreadable) as error:
        _ = again(work).key

    assert str(error.value) == (
        "The key of the provider work can't be decrypted. Put the secret that encrypted it back "
        "into ENCRYPTION_KEYS, or enter the key again on the provider's page."
    )


@pytest.mark.parametrize("change", [{"slug": "lab"}, {"address": ELSEWHERE}], ids=str)
def test_a_key_works_for_its_slug_and_address_alone(work, change):
    """Somebody who can write to the table still cannot redirect the key to another address."""
    Provider.objects.update(**change)

    with pytest.raises(KeyUnreadable):
        _ = again(work).key


def rotated():
    out = io.StringIO()
    call_command("rotate_keys", stdout=out)
    return out.getvalue()


def test_rotation_makes_the_old_secret_superfluous(work, settings):
    settings.ENCRYPTION_KEYS = [NEW, OLD]

    assert rotated() == "Encrypted 1 keys with the first secret.\n"

    settings.ENCRYPTION_KEYS = [NEW]
    assert again(work).key == CANARY


def test_rotation_goes_on_after_a_key_that_it_cannot_read(work, settings):
    settings.ENCRYPTION_KEYS = [NEW]
    readable = stored("lab")
    before = readable.encrypted_key

    with pytest.raises(CommandError, match="The key of the provider work can't be decrypted"):
        rotated()

    assert again(readable).encrypted_key != before
    assert again(work).encrypted_key == work.encrypted_key


def test_a_secret_that_could_be_guessed_is_refused_without_quoting_it():
    with pytest.raises(ValueError, match="32 characters or more") as refused:
        parse_secrets([NEW, "too short"])

    assert "too short" not in str(refused.value)
