"""Drawings have the same coordinates in all languages, even those with a decimal comma."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from chatapp.inspector.fills import FILLS
from tests.chatapp.inspector.addresses import panel

COMMA = re.compile(r'\b(?:x|y|width|height|stroke-dasharray)="[\d ]*\d,\d')


def test_no_coordinate_has_a_comma(owner, conversation):
    with translation.override("de"):
        html = owner.get(panel(conversation)).content.decode()

    assert re.search(r'<rect[^>]* width="\d+\.\d', html)
    assert not COMMA.search(html)


@pytest.mark.parametrize(
    ("template", "context"),
    [
        pytest.param(
            "panel/head/strip.html",
            {"strip": {"bars": [{"x": 1.5, "width": 2.5, "y": 3.5, "height": 4.5}]}},
            id="the strip of turns",
        ),
        pytest.param(
            "chat/gauge.html",
            {"gauge": {"arc": 12.5, "percent": 12, "sent": 5, "limit": 10, "has_left": True}},
            id="the gauge",
        ),
        pytest.param(
            "panel/timeline/zone.html",
            {"data": {"groups": [("", [{"x": 1.5, "width": 2.5}])]}},
            id="the timeline",
        ),
    ],
)
def test_no_part_of_a_drawing_has_one(template, context):
    with translation.override("de"):
        html = render_to_string(template, context)

    assert re.search(r"\d\.5", html)
    assert not COMMA.search(html)


def test_every_fill_of_the_style_sheets_is_drawn_once(owner, conversation):
    sheets = Path("static/css").glob("panel*.css")
    named = {name for sheet in sheets for name in re.findall(r"#fill-([\w-]+)", sheet.read_text())}
    drawn = re.findall(r'<pattern id="fill-([\w-]+)"', owner.get(panel(conversation)).text)

    assert len(drawn) == len(FILLS)
    assert named == set(drawn)


def test_what_was_changed_looks_the_same_in_a_thin_piece_and_in_the_legend(owner, conversation):
    (pattern,) = re.findall(
        r'<pattern id="fill-changed"[^>]*>', owner.get(panel(conversation)).text
    )

    assert 'patternUnits="objectBoundingBox"' in pattern
