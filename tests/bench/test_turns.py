"""The measurement of turns asks a running server, and gets every answer."""

import asyncio

from bench.streaming import cookies_of_visitor, dripping, environment
from bench.turns import OF_A_CHAT, ask_questions

TURNS = OF_A_CHAT + 1


def test_each_turn_is_answered_by_a_token_and_some_begin_a_chat(app):
    async def ask():
        return await ask_questions(server, await cookies_of_visitor(server), TURNS)

    with dripping() as provider:
        server = app(**environment(provider))
        seen = asyncio.run(ask())

    assert [stream.tokens for stream in seen] == [1] * TURNS
    assert server.rows("SELECT COUNT(*) FROM history_conversation") == [(2,)]
    assert server.statuses() == ["done"] * TURNS
