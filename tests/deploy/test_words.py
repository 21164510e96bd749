"""The check of names reads the forbidden words from CONTEXT.md."""

from pathlib import Path

import pytest

from deploy.words import glossary_of, names_in

GLOSSARY = glossary_of("""
# Words

| term | means | avoid |
|---|---|---|
| transcript | every message in order | history (for data), log |
| message | one entry of it | event |
| event | a numbered entry of a log | message |
| history window | a window counted in messages | buffer |
| projection | what is sent | context (alone), view |
| generation | one answer being written | run, background job |

## Words with a second meaning

| word | in | means there |
|---|---|---|
| view | `chatapp.pages.*views`, `chatapp.pages.views.*` | a function that answers a request |
""")


def faults(*names):
    return [fault for name in names for fault in GLOSSARY.faults(name)]


@pytest.mark.parametrize(
    ("name", "word", "term"),
    [
        pytest.param("history.core.paths.ConversationLog", "log", "transcript", id="a class"),
        pytest.param("history.core.run_list", "run", "generation", id="a module"),
        pytest.param("history.core.paths.Runs", "run", "generation", id="a plural"),
        pytest.param("history.core.MessageHistory", "history", "transcript", id="for data"),
        pytest.param("history.core.paths.Context", "context", "projection", id="alone"),
        pytest.param("history.core.BackgroundJob", "background job", "generation", id="two words"),
        pytest.param("history.core.paths.PathView", "view", "projection", id="another folder"),
    ],
)
def test_a_word_to_avoid_is_found(name, word, term):
    assert faults(name) == [f"{name}: CONTEXT.md says to avoid {word!r} and to say {term!r}"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("history.core.transcript.messages.MessageReader", id="a term itself"),
        pytest.param("history.core.stages.HistoryWindow", id="part of a term"),
        pytest.param("agents.context.ContextText", id="not alone"),
        pytest.param("chatapp.pages.message_views", id="a second meaning"),
        pytest.param("chatapp.pages.views.RenameView", id="a class with a second meaning"),
        pytest.param("history.core.Runner", id="a longer word"),
        pytest.param("history.core.log.Transcript", id="only the name's own part counts"),
    ],
)
def test_other_words_are_fine(name):
    assert faults(name) == []


def test_a_planted_class_is_named_with_its_module():
    planted = "class Outer:\n    class RunList:\n        pass\n"

    names = list(names_in(Path("history/core/planted.py"), planted))

    assert names == [
        "history.core.planted",
        "history.core.planted.Outer",
        "history.core.planted.RunList",
    ]
    assert len(faults(*names)) == 1


def test_a_second_meaning_that_nothing_has_is_found():
    assert list(GLOSSARY.unused(["chatapp.pages.views.RenameView"])) == [
        "CONTEXT.md: nothing in chatapp.pages.*views is named 'view'"
    ]
