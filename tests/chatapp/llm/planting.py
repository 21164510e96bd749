"""Faults between counting a stream and reading it."""

from chatapp.llm.streams import menders
from chatapp.llm.streams.events import DECODER
from chatapp.llm.streams.menders import Event


def plant(monkeypatch, said, read):
    """Have these bytes of each event read as others, after they were counted."""
    parsed = menders._parsed

    def misread(*given):
        if (event := parsed(*given)) is None:
            return None
        changed = event.json.replace(said, read)
        return Event(DECODER.decode(changed.decode()), changed)

    monkeypatch.setattr(menders, "_parsed", misread)
