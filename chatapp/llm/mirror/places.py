"""Finds the place that somebody asks the time of, so that the offline model can name its zone."""

import re
from collections.abc import Iterable
from zoneinfo import available_timezones

REGIONS = re.compile(r"(Africa|America|Antarctica|Arctic|Asia|Atlantic|Europe|Indian|Pacific)/")
AUSTRALIA = re.compile(r"Australia/(?!North|South|West)[A-Z][a-z]+")  # Not its states.
ZONE = re.compile(r"\b[A-Z]\w+(?:/[A-Z][\w-]+)+")


def by_city(zones: Iterable[str]) -> dict[str, str]:
    """Zones by the name of their city in small letters: `new york`."""
    cities = [zone for zone in zones if REGIONS.match(zone) or AUSTRALIA.fullmatch(zone)]
    return {_city(zone): zone for zone in sorted(cities, key=_rank)}


def _rank(zone: str) -> tuple[int, str]:
    """Of two zones with one city the shorter name is the older link, so the longer comes last."""
    return len(zone), zone


def _city(zone: str) -> str:
    return zone.rpartition("/")[2].replace("_", " ").lower()


ZONES = available_timezones()  # Reads many files: once, when the model is warmed up.
CITIES = by_city(ZONES)
NAMES = "|".join(map(re.escape, sorted(CITIES, key=len, reverse=True)))
PLACE = re.compile(rf"\bin ({NAMES})\b(?!(?-i: [A-Z])|-)", re.IGNORECASE)


def zone_in(text: str) -> str:
    """The zone that is named, or that of the city; empty where there is neither."""
    if zone := ZONE.search(text):
        return zone[0]
    city = PLACE.search(text)
    return CITIES[city[1].lower()] if city else ""
