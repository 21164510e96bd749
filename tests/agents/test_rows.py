"""Lists of objects as rows of a form: unchanged values stay as they were stored, byte for byte."""

from html.parser import HTMLParser

import pytest
from django.core.exceptions import ValidationError
from django.http import QueryDict

from agents.context.parts import PROVIDERS
from agents.form_parts.context_rows import context_field
from agents.form_parts.processor_rows import processors_field
from history.core.settings import registry


class Posted(HTMLParser):
    """Reads from a form's HTML what a browser would post if no field is changed."""

    def __init__(self, html):
        super().__init__()
        self.data = QueryDict(mutable=True)
        self.open, self.inert = None, 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.inert += tag in {"template", "noscript"}
        if self.inert or ("name" not in given and tag != "option"):
            return
        if tag == "input" and (given.get("type") != "checkbox" or "checked" in given):
            self.data.appendlist(given["name"], given.get("value") or "")
        if tag in {"textarea", "select"}:
            self.open = given["name"]
            self.data.appendlist(self.open, "")
        if tag == "option" and "selected" in given:
            self.data[self.open] = given["value"]

    def handle_endtag(self, tag):
        self.inert -= tag in {"template", "noscript"}
        if tag == "textarea" and not self.inert:
            self.data[self.open] = self.data[self.open].removeprefix("\n")
        if tag in {"textarea", "select"}:
            self.open = None

    def handle_data(self, text):
        if self.open and not self.inert and self.lasttag == "textarea":
            self.data[self.open] += text.replace("\n", "\r\n").replace("\r\n", "\n", 1)


def posted(field, stored):
    return Posted(field.widget.render("list", field.prepare_value(stored), {"id": "id_list"})).data


def read(field, data):
    return field.clean(field.widget.value_from_datadict(data, {}, "list"))


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    monkeypatch.setitem(PROVIDERS, "notes", lambda facts: "")
    factory = lambda keep, word="abc": lambda segments: segments  # noqa: E731 -- a factory
    monkeypatch.setitem(registry.processors, "mine", factory)


CONTEXT = [
    {"name": "date", "text": "\nToday is {date}.\n\n  Indented.", "place": "turn"},
    {"name": "rules", "text": 'A < B & "C" {{literal}}', "place": "start"},
    {"use": "notes"},
    {"use": "notes", "place": "start"},
]
PROCESSORS = [
    {"use": "tool_call_filter"},
    {"use": "tool_call_filter", "exclude": ["a, b", "c"], "persist_results": False},
    {"use": "token_limiter", "limit": 16_000},
    {"use": "mine", "keep": 5, "word": "5"},
    {"use": "mine", "keep": ["a", {"b": None}]},
]


@pytest.mark.parametrize("spec", CONTEXT[:3])
def test_a_context_text_that_nobody_changed_stays_as_it_was(spec):
    field = context_field()

    assert read(field, posted(field, [spec])) == [spec]


def test_processors_that_nobody_changed_stay_as_they_were():
    field = processors_field("agent", "")

    assert read(field, posted(field, PROCESSORS)) == PROCESSORS


def test_rows_count_in_the_order_of_the_page_and_a_row_can_be_left_out():
    field = processors_field("agent", "")
    data = posted(field, PROCESSORS[:3])

    data.setlist("list-row", ["3", "1"])

    assert read(field, data) == [PROCESSORS[2], PROCESSORS[0]]


def test_a_new_row_and_a_changed_option():
    field = context_field()
    data = posted(field, [CONTEXT[0]])

    data["list-1-text"] = "Changed.\r\nTwice."
    data["list-1-place"] = "start"
    data.appendlist("list-row", "2")
    data.update({"list-2-kind": "use:notes", "list-2-stored": "{}", "list-2-place": ""})

    assert read(field, data) == [
        {"name": "date", "text": "Changed.\nTwice.", "place": "start"},
        {"use": "notes"},
    ]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"list-1-limit": "-3"}, "Tokens: must be a whole number from 1 to 1,000,000,000."),
        ({"list-1-limit": ""}, "Tokens: must not be empty."),
        ({"list-1-kind": "gone"}, "Choose a processor."),
        ({"list-1-stored": "[[["}, None),
    ],
)
def test_what_is_wrong_is_said_at_its_row(changes, told):
    field = processors_field("agent", "")
    data = posted(field, [{"use": "token_limiter", "limit": 9}])
    for name, value in changes.items():
        data[name] = value

    if told is None:
        assert read(field, data) == [{"use": "token_limiter", "limit": 9}]
        return
    with pytest.raises(ValidationError) as refused:
        read(field, data)

    assert (refused.value.messages, field.row_faults) == ([told], [(1, told)])
    typed = field.widget.value_from_datadict(data, {}, "list")
    assert told in field.widget.render("list", typed, {"id": "id_list"})


def test_a_context_text_without_a_name_is_told_at_its_row():
    field = context_field()
    data = posted(field, [CONTEXT[0]])
    data.update({"list-1-name": "", "list-1-text": "Changed."})

    with pytest.raises(ValidationError):
        read(field, data)

    assert field.row_faults == [(1, "Name: must not be empty.")]


def test_what_no_kind_can_show_is_json_in_a_row_of_its_own():
    field = processors_field("agent", "")
    gone = {"use": "token_limiter", "limit": 9, "mood": "calm"}

    data = posted(field, [gone])

    assert data["list-1-kind"] == "json"
    with pytest.raises(ValidationError, match="It has no option mood"):
        read(field, data)
