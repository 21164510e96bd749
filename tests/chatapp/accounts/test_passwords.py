"""A password that only repeats its user's name is refused wherever one is set."""

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

BOB = User(username="bob", first_name="Robert", last_name="Ng", email="bobby@example.org")


@pytest.mark.parametrize(
    "password",
    [
        *("bobbobbob", "BobBobBob", "bob-bob-bob", "bob bob bob!", "bobbobbobbobbobbobbob"),
        *("robertrobert", "ngngngng", "bobbybobby", "\uff42obbobbob"),
    ],
)
def test_a_name_again_and_again_is_refused(password):
    with pytest.raises(ValidationError) as refusal:
        validate_password(password, BOB)

    assert "The password only repeats your name." in refusal.value.messages


@pytest.mark.parametrize("password", ["bobbobbox", "bob likes old harbours", "kayak-9-violet"])
def test_another_one_is_not(password):
    assert validate_password(password, BOB) is None


def test_nobody_in_particular_has_no_name():
    assert validate_password("bobbobbob", None) is None
    assert validate_password("bobbobbob", User()) is None
