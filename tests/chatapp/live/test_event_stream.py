"""Events are numbered in the order in which they happened, however long rendering takes."""

import threading

import pytest

from chatapp.live import pace
from chatapp.live.event_stream import RENDERED_HERE, EventStream
from chatapp.markdown import BlockStream, to_html
from chatapp.markdown.blocks import too_long

LONG = "word " * RENDERED_HERE + "\n\nend\n"


@pytest.fixture
def shown():
    return []


@pytest.fixture
def stream(shown):
    return EventStream(shown.append)


def kinds(events):
    return [(event.seq, event.kind) for event in events]


async def test_a_short_block_is_rendered_at_once(stream, shown):
    stream.text("# one\n\ntwo\n")

    assert kinds(shown) == [(1, "delta"), (2, "block")]
    assert shown[1].data == {"html": "<h3>one</h3>\n", "tail": "two\n"}


async def test_text_comes_in_portions_none_after_what_follows_it(stream, shown, monkeypatch):
    monkeypatch.setattr(pace, "SHORTEST", 3600)
    monkeypatch.setattr(pace, "LONGEST", 3600)
    for word in ("one", " two", " three"):
        stream.text(word)
    assert [event.data for event in shown] == [{"text": "one"}]

    stream.thinking("Hm")
    stream.emit("calls", html="")
    stream.text(" four")
    stream.close()

    assert kinds(shown) == [(1, "delta"), (2, "delta"), (3, "thinking"), (4, "calls"), (5, "delta")]
    assert [event.data.get("text") for event in shown] == ["one", " two three", "Hm", None, " four"]


async def test_a_stream_counts_for_the_pace_while_its_text_comes(stream):
    others = len(pace.pace.writing)
    counts = []
    for act in (lambda: stream.text("a"), lambda: stream.emit("calls"), stream.close):
        act()
        counts.append(len(pace.pace.writing) - others)

    assert counts == [1, 0, 0]


async def test_what_happens_while_a_long_block_is_rendered_comes_after_it(stream, shown):
    stream.text(LONG)
    stream.emit("calls", html="")
    assert kinds(shown) == [(1, "delta")]

    await stream.settled()

    assert kinds(shown) == [(1, "delta"), (2, "block"), (3, "calls")]
    assert shown[1].data["tail"] == "end\n"


async def test_long_blocks_are_rendered_in_another_thread(stream, monkeypatch):
    threads = []

    def noting(blocks):
        threads.append(threading.current_thread())
        return to_html(blocks.tail)

    monkeypatch.setattr(BlockStream, "end", noting)
    for size in (RENDERED_HERE, RENDERED_HERE + 1):
        stream.text("x" * size)
        stream.end_step()
        await stream.settled()

    assert threads[0] is threading.main_thread()
    assert threads[1] is not threading.main_thread()


async def test_several_long_blocks_are_one_text(stream, shown):
    for _ in range(3):
        stream.text(LONG)
        stream.emit("calls", html="")
    stream.end_step()
    await stream.settled()

    html = "".join(event.data["html"] for event in shown if event.kind == "block")
    assert html == to_html(LONG * 3)
    assert [event.seq for event in shown] == list(range(1, len(shown) + 1))
    assert shown[-1].data["tail"] == ""


@pytest.mark.parametrize("text", ["# one\n\ntwo\n", LONG], ids=["at once", "aside"])
async def test_a_renderer_that_fails_costs_the_layout_alone(stream, shown, monkeypatch, text):
    def broken(blocks, delta):
        raise RuntimeError("no such rule")

    monkeypatch.setattr(BlockStream, "feed", broken)
    stream.text(text)
    stream.emit("end", html="")
    await stream.settled()

    assert kinds(shown) == [(1, "delta"), (2, "end")]


async def test_what_is_too_long_goes_on_plainly(stream, shown):
    stream.text("- item\n" * 20_000)
    stream.emit("calls", html="")
    await stream.settled()
    stream.text("- end")
    stream.end_step()
    await stream.settled()

    (full, ended) = [event.data for event in shown if event.kind == "block"]
    assert full == {"html": too_long(), "tail": "- item\n" * 20_000, "is_plain": True}
    assert full["html"] + ended["html"] == to_html("- item\n" * 20_000 + "- end")
    assert ended["tail"] == ""
    assert "is_plain" not in ended


async def test_what_is_read_again_is_not_shown_again(stream, shown):
    stream.thinking("Hm. ")
    stream.text("One, ")
    stream.start_over()
    for piece in ("Hm", ". So.", ""):
        stream.thinking(piece)
    for piece in ("On", "e, two", ", three."):
        stream.text(piece)
    stream.end_step()
    stream.text("One, again.")
    stream.close()

    told = [(event.kind, event.data["text"]) for event in shown if "text" in event.data]
    assert "".join(text for kind, text in told if kind == "thinking") == "Hm. So."
    assert "".join(text for kind, text in told if kind == "delta") == "One, two, three.One, again."


async def test_an_answer_of_another_process_goes_on_within_its_block(stream, shown):
    stream.go_on_with(["On", "e, "], "Hm. ")
    stream.thinking("Hm. ")
    stream.text("One, two.\n\nThree\n")
    stream.close()

    assert [event.kind for event in shown] == ["delta", "block"]
    assert shown[0].data["text"] == "two.\n\nThree\n"
    assert "<p>One, two.</p>" in shown[1].data["html"]
