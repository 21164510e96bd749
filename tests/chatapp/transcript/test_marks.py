import pytest

from chatapp.transcript.marks import MarkedSegments


@pytest.mark.parametrize(
    ("kinds", "state"),
    [
        ({}, "none"),
        ({1: ""}, "none"),
        ({1: "pin", 2: "pin"}, "pin"),
        ({1: "exclusion"}, "exclusion"),
        ({1: "pin", 2: ""}, "partly"),
        ({1: "pin", 2: "exclusion"}, "partly"),
    ],
)
def test_what_is_marked_alike_has_one_state(kinds, state):
    assert MarkedSegments(kinds).state == state


def test_the_page_is_given_the_numbers():
    assert MarkedSegments({1: "pin", 2: ""}).as_json == '{"1": "pin", "2": ""}'
