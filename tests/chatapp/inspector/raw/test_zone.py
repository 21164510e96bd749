"""The zone "Raw" shows the whole request, verifies it, and hides what the reader may not see."""

import json

import pytest

from chatapp.generation.records import prepare_step
from chatapp.inspector.raw import request
from history.core.transcript.messages import ToolCall
from history.core.transcript.parts import Image
from history.models import ContextPlan, GenerationEvent, RequestOutcome
from history.services.path.appending import (
    append,
    assistant_message,
    result_message,
    user_message,
)
from tests.attached import put_picture
from tests.chatapp.inspector.pages import text_of
from tests.factories import (
    add_turn,
    add_turns,
    begin_turn,
    branch_of,
    end_turn,
    make_agent,
    make_conversation,
)

SECRET = "Never say aubergine."
HIDDEN = "[not shown to owners of a conversation]"


@pytest.fixture
def agent(db):
    return make_agent(
        system_prompt=SECRET,
        tools=["calculator"],
        history_settings={"policy": "lastN", "length": 2},
    )


def ask(conversation, text="What now?", step=1, **outcome):
    """Make a request as the app does; store an outcome if any of its fields is given."""
    conversation.generations.update(status="done")
    record = prepare_step(begin_turn(conversation, text), step).record
    if outcome:
        RequestOutcome(plan=record, **{"total_ms": 1.0, **outcome}).save()
    return record


def get(browser, record, part, **query):
    given = {"generation": record.generation_id, "step": record.step, **query}
    return browser.get(f"/chat/{record.generation.conversation_id}/panel/raw/{part}", given)


@pytest.fixture
def record(conversation):
    return ask(conversation)


@pytest.fixture
def staff(client, admin_user, agent):
    """Sign in a member of staff."""
    client.force_login(admin_user)
    return client


@pytest.fixture
def staff_record(admin_user, agent):
    conversation = make_conversation(agent, owner=admin_user)
    add_turn(conversation)
    return ask(conversation)


PARTS = ["request", "difference", "response", "events", "request.json", "request.curl"]


class TestTheRequest:
    def test_is_the_one_that_was_sent(self, owner, record):
        text = text_of(get(owner, record, "request"))

        assert "Its hash matches the stored one" in text
        assert "4 messages, in this order" in text
        assert "What now?" in text
        assert "user · message 9" in text

    def test_says_so_if_the_hash_differs(self, owner, record):
        other = ContextPlan.objects.get(pk=record.pk)
        other.pk, other._state.adding = None, True
        other.step, other.request_hash = 2, "0" * 64
        other.save()

        text = text_of(get(owner, other, "request"))

        assert "its hash doesn't match the stored one (planner v8 then, v8 now)" in text

    def test_comes_by_pages(self, owner, conversation, agent):
        agent.history_settings = {"policy": "all"}
        agent.save()
        add_turns(conversation, 60)
        conversation.refresh_from_db()
        record = ask(conversation)

        first, last = get(owner, record, "request"), get(owner, record, "request", after=100)

        assert "130 messages, in this order" in text_of(first)
        assert "after=50" in first.content.decode()
        assert "50 user · message 50" not in text_of(first)
        assert "130 user · message 129" in text_of(last)
        assert "after=" not in last.content.decode()
        assert "in this order" not in text_of(last)

    def test_shows_of_a_long_text_the_beginning_and_the_rest_by_itself(self, owner, conversation):
        record = ask(conversation, "word " * 1_000 + "END")

        page, whole = get(owner, record, "request"), get(owner, record, "message", number=4)

        assert "Show all 5,003 characters" in text_of(page)
        assert "END" not in text_of(page)
        assert text_of(whole).endswith("END")

    @pytest.mark.parametrize("number", [0, 99])
    def test_has_no_message_beyond_its_last(self, owner, record, number):
        assert get(owner, record, "message", number=number).status_code == 404

    def test_that_cannot_be_made_again_says_why(self, owner, record):
        snapshot = record.generation.snapshot
        snapshot["agent"]["tools"] = ["abacus"]
        record.generation.save()

        for part in ("request", "difference", "message", "request.json", "request.curl"):
            response = get(owner, record, part, number=1)
            assert "rebuild this request: No such tool: abacus" in response.content.decode()


class TestForTheClipboard:
    def test_json_is_the_body_with_nothing_hidden_from_staff(self, staff, staff_record):
        body = json.loads(get(staff, staff_record, "request.json").content)

        assert body["messages"][0] == {"role": "system", "content": SECRET}
        assert body["model"] == "demo/mirror"
        assert body["tools"][0]["function"]["description"]

    def test_staff_see_where_it_goes(self, staff, staff_record, agent):
        agent.model = "openai/gpt-4o"
        agent.save()
        record = ask(staff_record.generation.conversation)

        assert "api.openai.com" in get(staff, record, "request.curl").content.decode()

    def test_owners_do_not(self, owner, conversation, agent):
        agent.model = "openai/gpt-4o"
        agent.save()
        conversation.refresh_from_db()

        text = get(owner, ask(conversation), "request.curl").content.decode()

        assert "api.openai.com" not in text
        assert '"$API_BASE/chat/completions"' in text
        assert "# Not shown to the chat's owner: system prompt and the tools'" in text


class TestRedaction:
    @pytest.mark.parametrize("part", [*PARTS, "message"])
    def test_owners_never_get_the_prompt(self, owner, conversation, part):
        ask(conversation)
        record = ask(conversation)

        response = get(owner, record, part, number=1)

        assert response.status_code == 200
        assert SECRET not in response.content.decode()

    def test_owners_get_the_tools_by_name(self, owner, record):
        body = json.loads(get(owner, record, "request.json").content)

        assert body["tools"] == [{"type": "function", "function": {"name": "calculator"}}]
        assert body["messages"][0] == {"role": "system", "content": HIDDEN}

    def test_a_changed_prompt_is_told_but_not_shown(self, owner, conversation, agent):
        agent.system_prompt = "Say aubergine."
        agent.save()
        conversation.refresh_from_db()

        text = text_of(get(owner, ask(conversation), "difference"))

        assert f"Changed: {HIDDEN}" in text
        assert "aubergine" not in text

    def test_a_template_may_open_it_to_all(self, owner, conversation, agent):
        agent.prompt_is_public = True
        agent.save()
        conversation.refresh_from_db()
        record = ask(conversation)

        assert SECRET in get(owner, record, "request.json").content.decode()

    @pytest.mark.parametrize("part", [*PARTS, "message"])
    def test_others_get_nothing(self, client, record, part):
        assert get(client, record, part, number=1).status_code == 404

    @pytest.mark.parametrize("part", PARTS)
    def test_a_record_that_cannot_be_is_not_there(self, owner, record, part):
        assert get(owner, record, part, step=7).status_code == 404
        assert get(owner, record, part, generation="x").status_code == 404


class TestTheDifference:
    def test_shows_a_window_that_moved(self, owner, conversation):
        before = ask(conversation)
        end_turn(before.generation)

        text = text_of(get(owner, ask(conversation, "And then?"), "difference"))

        assert (
            "Compared with turn 5, step 1: 2 messages unchanged, 2 messages removed, 2 "
            "messages added." in text
        )
        assert "2 messages removed" in text
        assert "And then?" in text

    def test_shows_the_lines_that_changed(self, owner, conversation, agent):
        agent.history_settings = {"policy": "all", "tool_results_keep": 1}
        agent.save()
        conversation.refresh_from_db()
        generation = begin_turn(conversation)
        for step in (1, 2):
            prepare_step(generation, step)
            use_a_tool(generation, f"c{step}", f"found {step}\n" * 20)

        html = get(owner, prepare_step(generation, 3).record, "difference").content.decode()

        assert "1 message changed" in html
        assert '<li class="line removed">-found 1</li>' in html
        assert '<li class="line added">+[Omitted]</li>' in html

    def test_counts_the_rest_of_a_long_run(self, owner, conversation, agent):
        ask(conversation)
        agent.history_settings = {"policy": "all"}
        agent.save()
        add_turns(conversation, 30)
        conversation.refresh_from_db()

        text = text_of(get(owner, ask(conversation), "difference"))

        assert "and 41 more, shown in the request" in text

    def test_names_the_parameters(self, owner, conversation, agent):
        agent.temperature = 0.7
        agent.save()
        conversation.refresh_from_db()

        assert "temperature: None \N{RIGHTWARDS ARROW} 0.7" in text_of(
            get(owner, ask(conversation), "difference")
        )

    def test_the_first_request_has_none(self, owner, conversation):
        first = conversation.generations.get(turn=1).plans.get()

        text = text_of(get(owner, first, "difference"))

        assert text == "This is the first request on this branch."


def use_a_tool(generation, id_, text):
    call = ToolCall(id_, "calculator", '{"expression": "6*7"}')
    drafts = [assistant_message("", [call]), result_message(call, text, failed=False)]
    append(branch_of(generation.conversation), drafts, generation)


class TestTheResponse:
    def test_is_shown_with_what_was_reported(self, owner, conversation):
        usage = {"prompt": 1_200, "completion": 40}
        record = ask(conversation, finish_reason="stop", usage=usage)
        end_turn(record.generation, "Here it is")

        text = text_of(get(owner, record, "response"))

        assert "finish reason stop usage prompt 1,200, completion 40 attempts 1" in text
        assert text.endswith("Here it is")

    def test_shows_the_calls(self, owner, conversation):
        record = ask(conversation, finish_reason="tool_calls")
        use_a_tool(record.generation, "c1", "42")

        assert 'calculator c1 {"expression": "6*7"}' in text_of(get(owner, record, "response"))

    def test_says_what_went_wrong(self, owner, conversation):
        record = ask(conversation, error={"kind": "auth", "message": "The key is wrong."})

        text = text_of(get(owner, record, "response"))

        assert "finish reason none reported" in text
        assert "error auth: The key is wrong." in text
        assert text.endswith("This request produced no message.")

    def test_says_that_there_is_none_yet(self, owner, record):
        assert "outcome none stored" in text_of(get(owner, record, "response"))


class TestTheEvents:
    def log(self, record, count, **payload):
        GenerationEvent.objects.bulk_create(
            GenerationEvent(generation=record.generation, seq=n, kind="delta", payload=payload)
            for n in range(1, count + 1)
        )
        type(record.generation).objects.filter(pk=record.generation_id).update(seq=count)

    def test_are_numbered_by_kind_and_size(self, owner, record):
        self.log(record, 2, text="Hello")

        text = text_of(get(owner, record, "events"))

        assert text.startswith("2 events, as sent to the browser")
        assert '1 delta 21 characters { "text": "Hello" } 2 delta 21 characters' in text

    def test_come_by_pages(self, owner, record):
        self.log(record, 51)

        assert "after=50" in get(owner, record, "events").content.decode()
        assert text_of(get(owner, record, "events", after=50)).startswith("51 delta")

    def test_are_shown_as_far_as_their_beginning(self, owner, record):
        self.log(record, 1, text="a" * 5_000)

        assert "First 2,000 of 5,016 characters" in text_of(get(owner, record, "events"))

    def test_that_were_dropped_are_said_to_be(self, owner, record):
        self.log(record, 214)
        record.generation.events.all().delete()

        text = text_of(get(owner, record, "events"))

        assert text == (
            "214 events were logged. Logs are deleted a few hours after an answer ends."
        )

    def test_says_that_an_answer_has_none(self, owner, record):
        assert text_of(get(owner, record, "events")) == "No events are stored."


def test_what_was_said_is_text(owner, conversation):
    record = ask(conversation, "<script>alert(1)</script>")

    for part in ("request", "difference"):
        assert "<script>" not in get(owner, record, part).content.decode()


@pytest.mark.parametrize(("part", "queries"), [("request", 13), ("response", 6), ("events", 5)])
def test_the_queries_do_not_grow(owner, conversation, django_assert_max_num_queries, part, queries):
    add_turns(conversation, 300)
    record = ask(conversation)

    with django_assert_max_num_queries(queries):
        get(owner, record, part)


def test_the_second_page_of_a_request_does_not_plan_it_again(
    owner, conversation, django_assert_max_num_queries
):
    record = ask(conversation)
    get(owner, record, "request")

    with django_assert_max_num_queries(5):
        get(owner, record, "request", after=50)


@pytest.mark.parametrize(("most", "kept"), [(2_000, 1), (20, 0)])
def test_a_request_with_large_images_is_not_kept(conversation, monkeypatch, most, kept):
    monkeypatch.setattr(request, "MOST_IMAGES", most)
    digest = put_picture(conversation)
    seen = user_message("Look", parts=[Image(digest, digest, "image/png", "berth.png")])
    append(conversation.branch, [seen, assistant_message("A berth.", ())])
    record = ask(conversation)
    request._rebuild.cache_clear()

    found = request.rebuild(record)

    assert (found.matches, request._rebuild.cache_info().currsize) == (True, kept)
