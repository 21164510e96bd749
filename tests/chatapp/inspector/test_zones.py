"""Another zone of the panel needs a module, a template, and a line in the list of zones."""

import re
from pathlib import Path

import pytest
from django.utils.translation import gettext_lazy

from chatapp.inspector import panel as panels
from chatapp.inspector.zone import Zone
from chatapp.inspector.zones import ZONES
from tests.chatapp.inspector.addresses import page, panel
from tests.chatapp.inspector.pages import text_of

TEMPLATE = """
{% extends "panel/zone.html" %}
{% block figures %}<small>{{ data.longest }} characters at most</small>{% endblock %}
{% block body %}<p>The longest message begins with {{ data.text }}.</p>{% endblock %}
"""


def longest(shown):
    """Return the data for the zone's template; None hides the zone from readers without costs."""
    if not shown.with_money:
        return None
    message = max(shown.conversation.messages.all(), key=lambda message: len(message.text))
    return {"longest": len(message.text), "text": message.text[:8]}


LONGEST = Zone(
    "longest",
    gettext_lazy("Longest message"),
    gettext_lazy("which is the longest"),
    longest,
)


@pytest.fixture
def tenth(tmp_path, settings, monkeypatch):
    """Add a zone after the map."""
    file = tmp_path / LONGEST.template
    file.parent.mkdir(parents=True)
    file.write_text(TEMPLATE)
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [engine | {"DIRS": [*engine["DIRS"], tmp_path]}]
    place = [zone.name for zone in ZONES].index("map") + 1
    monkeypatch.setattr(panels, "ZONES", (*ZONES[:place], LONGEST, *ZONES[place:]))


def links_in(html):
    links = html.partition('<nav class="zone-links"')[2].partition("</nav>")[0]
    return re.findall(r'href="#zone-([\w-]+)"', links)


def zones_in(html):
    return re.findall(r'<h3 id="zone-([\w-]+)"', html)


LINKS = ["settings", "summaries", "window", "map", "cost", "what-if", "timeline", "raw"]


def test_the_panel_links_to_its_zones_and_has_them_in_order(owner, conversation):
    html = owner.get(panel(conversation)).text

    assert links_in(html) == LINKS
    assert zones_in(html) == LINKS


@pytest.mark.parametrize("address", [panel, lambda chat: page(chat, 4)], ids=["panel", "page"])
def test_a_tenth_zone_has_its_link_its_title_and_its_body_in_its_place(
    owner, conversation, tenth, address
):
    answer = owner.get(address(conversation))

    assert links_in(answer.text) == zones_in(answer.text)
    assert zones_in(answer.text) == [*LINKS[:4], "longest", *LINKS[4:]]
    assert 'aria-label="Longest message">' in answer.text
    assert (
        "Longest message 10 characters at most which is the longest "
        "The longest message begins with Question."
    ) in text_of(answer)


def test_a_zone_that_a_reader_may_not_see_is_left_out_with_its_link(
    owner, conversation, tenth, settings
):
    settings.OWNERS_SEE_COST = False

    html = owner.get(panel(conversation)).text

    assert links_in(html) == [name for name in LINKS if name != "cost"]
    assert "Longest message" not in html


@pytest.mark.parametrize("zone", ZONES, ids=lambda zone: zone.name)
def test_a_zone_and_its_files_have_one_name(zone):
    module = f"chatapp.inspector.{zone.name.replace('-', '')}"

    assert zone.read.__module__ in {module, f"{module}.zone"}
    assert Path(f"templates/{zone.template}").is_file()
