"""The comparison with other chat apps drives Vitrine, and gets every answer whole."""

import asyncio

from bench.chats.__main__ import APPS, rows
from bench.chats.chainlit import Chainlit
from bench.chats.vitrine import Vitrine
from bench.streaming import dripping, environment
from bench.streams import RATE, at_pace

STREAMS = 20


def test_each_of_many_simultaneous_streams_gets_all_its_tokens(app):
    async def stream():
        async with vitrine.people(STREAMS) as people:
            return await at_pace(vitrine, people, seconds=1)

    with dripping() as provider:
        server = app(**environment(provider))
        vitrine = Vitrine(server)
        run = asyncio.run(stream())

    assert [stream.tokens for stream in run.streams] == [RATE] * STREAMS
    assert server.statuses() == ["done"] * STREAMS


def test_a_figure_below_vitrines_is_marked_as_ahead():
    medians = [
        {"first text, ms": 15.52, "memory, MB": 320},
        {"first text, ms": 8, "memory, MB": 320},
    ]

    assert rows(medians, APPS[:2]) == [
        ["first text, ms", "15.5", "8", "Chainlit"],
        ["memory, MB", "320", "320", ""],
    ]


def test_an_app_that_is_not_installed_has_no_title(monkeypatch):
    monkeypatch.setenv("CHAINLIT", "/nowhere/python")

    assert Chainlit.title() is None
