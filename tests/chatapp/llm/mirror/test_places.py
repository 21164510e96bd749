"""Which time zone a question means."""

import pytest

from chatapp.llm.mirror.places import by_city, zone_in


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("What time is it in Tokyo?", "Asia/Tokyo"),
        ("what's the time in new york right now", "America/New_York"),
        ("What day is it in Buenos Aires?", "America/Argentina/Buenos_Aires"),
        ("What time is it in Sydney, and in Perth?", "Australia/Sydney"),
        ("The time in America/Argentina/Ushuaia", "America/Argentina/Ushuaia"),
        ("What time is it in Port-au-Prince?", "America/Port-au-Prince"),
        ("What time is it in Nowhere/Atall?", "Nowhere/Atall"),
        ("What time is it in South Africa?", ""),
        ("What time is it in Paris Hilton's house?", ""),
        ("What time is it in the west?", ""),
        ("What time is it?", ""),
    ],
)
def test_the_zone_that_is_meant(text, zone):
    assert zone_in(text) == zone


def test_only_cities_stand_for_their_zones():
    zones = ["Asia/Tokyo", "Etc/GMT", "Japan", "Australia/South", "Australia/Perth"]

    assert by_city(zones) == {"tokyo": "Asia/Tokyo", "perth": "Australia/Perth"}
