"""Panel, API, terminal and the copied command all show the request that was sent, without keys."""

import asyncio
import html
import json
import logging
import re
import subprocess
from io import StringIO

import pytest
from django.core.management import call_command

from history.models import ContextPlan, Wire
from history.services.wire.storing import body_of
from tests.chatapp.answered import answered
from tests.chatapp.inspector.pages import text_of
from tests.chatapp.llm.families import KEYS
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS, Call
from tests.strict.claude import Claude
from tests.strict.deepseek import DeepSeek
from tests.strict.gemini import Gemini
from tests.strict.ollama import Ollama
from tests.strict.openai_chat import OpenAIChat
from tests.strict.server import Said, StrictProvider

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
KEY, PROMPT = "sk-canary-0123456789", "Never say aubergine to anybody."
DIFFERS = {
    OpenAIChat: "temperature 0.3 was not sent: openai/gpt-5-strict doesn't take it.",
    DeepSeek: "model deepseek/deepseek-reasoner was sent as deepseek-reasoner.",
    Claude: "messages[].content became system[].text.",
    Gemini: "temperature 0.3 is called generationConfig.temperature.",
    Ollama: "temperature 0.3 is called options.temperature.",
}


@pytest.fixture(params=DIFFERS, ids=lambda family: family.__name__)
def family(request, monkeypatch, settings):
    settings.MODEL_PROVIDERS |= {request.param.model.partition("/")[0]}
    return request.param


@pytest.fixture
def provider(family, monkeypatch):
    with StrictProvider(family()) as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, KEY if name in KEYS else value)
        yield server


@pytest.fixture
def asked(provider, family, admin_user, caplog):
    """Hold a turn with a tool call; return the records of its two requests."""
    caplog.set_level(logging.DEBUG)
    make_agent(model=family.model, temperature=0.3, system_prompt=PROMPT, tools=["calculator"])
    provider.script(Said(calls=[Call("calculator", '{"expression": "6*7"}')]), Said(text=["42"]))
    asyncio.run(answered(admin_user, "What is 6 * 7?"))
    return list(ContextPlan.objects.order_by("step"))


def get(client, record, part):
    given = {"generation": record.generation_id, "step": record.step}
    return client.get(f"/chat/{record.generation.conversation_id}/panel/raw/{part}", given)


def of_api(client, record):
    conversation = record.generation.conversation_id
    given = {"generation": record.generation_id, "step": record.step}
    found = client.get(f"/api/conversations/{conversation}/turns/1/context", given)
    return found.json()["wires"]


def explained(record, *options):
    out = StringIO()
    call_command("context", "explain", str(record.generation.conversation_id), *options, stdout=out)
    return out.getvalue()


def of_terminal(record):
    return json.loads(explained(record, "--json"))["wires"]


def sentences_of(client, record):
    return [difference["sentence"] for difference in of_api(client, record)[-1]["differences"]]


def test_they_all_show_what_the_provider_received(client, admin_user, asked, provider):
    client.force_login(admin_user)
    last = asked[-1]
    shown = of_api(client, last)

    stored = [body_of(wire) for record in asked for wire in record.wires.all()]
    assert stored == [request.raw for request in provider.received]
    assert [wire["body"] for wire in shown] == [provider.received[-1].body]
    assert get(client, last, "wire.json").json() == shown == of_terminal(last)
    summary = explained(last).partition("what left")[2]
    assert f"POST {provider.url}" in summary
    assert f"SHA-256 {shown[-1]['digest']}" in summary
    assert "Attempt 1: 200" in text_of(get(client, last, "wire"))


def test_they_all_say_how_it_differs_from_the_neutral_request(client, admin_user, asked, family):
    client.force_login(admin_user)
    last = asked[-1]

    sentences = sentences_of(client, last)
    page, summary = text_of(get(client, last, "wire")), explained(last).partition("what left")[2]
    assert DIFFERS[family] in sentences
    assert [sentence for sentence in sentences if sentence not in page] == []
    assert [sentence for sentence in sentences if f"    {sentence}\n" not in summary] == []


def test_no_key_is_shown_or_stored(client, admin_user, asked, caplog):
    client.force_login(admin_user)
    last = asked[-1]
    everything = [
        explained(last).partition("what left")[2],
        repr(list(Wire.objects.values())),
        text_of(get(client, last, "wire")),
        get(client, last, "request.curl").content.decode(),
        repr(of_api(client, last)),
        caplog.text,
    ]

    assert [text for text in everything if KEY in text] == []


def test_the_copied_command_sends_the_same_again(client, admin_user, asked, provider):
    client.force_login(admin_user)
    command = get(client, asked[-1], "request.curl").content.decode()

    assert provider.url in command
    subprocess.run(["sh", "-c", command], env={"API_KEY": KEY}, check=True, capture_output=True)
    last, again = provider.received[-2:]
    assert (again.path, again.raw) == (last.path, last.raw)


@pytest.mark.parametrize("family", [Claude, Gemini], indirect=True)
def test_an_owner_sees_neither_prompt_nor_address(client, django_user_model, asked, provider):
    owner = django_user_model.objects.create_user("ada")
    conversation = asked[0].generation.conversation
    type(conversation).objects.filter(pk=conversation.pk).update(owner=owner)
    client.force_login(owner)
    record = asked[-1]

    shown = [
        json.dumps(of_api(client, record)),
        *(
            get(client, record, part).content.decode()
            for part in ("wire", "wire.json", "request.curl")
        ),
    ]

    assert [text for text in shown if "What is 6 * 7?" not in text] == []
    for hidden in (PROMPT, provider.url, "expression to", "tools[]."):
        assert [text for text in shown if hidden in text] == []


@pytest.mark.parametrize("family", [OpenAIChat], indirect=True)
def test_only_staff_read_why_a_provider_refused(client, django_user_model, provider, monkeypatch):
    why = "Organisation org-1 may not think."
    monkeypatch.setattr(provider.family, "refusal", lambda *_request: why)
    owner = django_user_model.objects.create_user("ada")
    staff = django_user_model.objects.create_superuser("root")
    make_agent(model=provider.family.model)
    asyncio.run(answered(owner, "Hello"))
    record = ContextPlan.objects.get()

    shown = {}
    for person in (owner, staff):
        client.force_login(person)
        pages = (get(client, record, part).content.decode() for part in ("wire", "wire.json"))
        shown[person] = [why in page for page in (*pages, repr(of_api(client, record)))]

    assert shown == {owner: [False] * 3, staff: [True] * 3}
    assert "the provider said: {" in explained(record)
    assert why not in json.dumps(record.generation.error)


@pytest.mark.parametrize("family", [Claude], indirect=True)
def test_a_redacted_command_says_so(client, admin_user, django_user_model, asked):
    record = asked[-1]
    client.force_login(admin_user)
    whole = get(client, record, "request.curl").content.decode()
    conversation = record.generation.conversation
    owner = django_user_model.objects.create_user("ada")
    type(conversation).objects.filter(pk=conversation.pk).update(owner=owner)
    client.force_login(owner)
    redacted = get(client, record, "request.curl").content.decode()

    assert "# It is not the request that left" not in whole
    assert "# It is not the request that left" in redacted


FOLD = re.compile(r'<details[^>]*data-keep="raw-wire-form".*?</details>', re.S)


@pytest.mark.parametrize("family", [Claude], indirect=True)
def test_what_matters_is_told_before_the_changes_of_form(client, admin_user, asked):
    client.force_login(admin_user)
    sentences = sentences_of(client, asked[-1])
    page = html.unescape(get(client, asked[-1], "wire").content.decode())
    (fold,) = FOLD.findall(page)
    formal = [sentence for sentence in sentences if sentence in fold]
    above = FOLD.sub("", page)

    real = ["stream_options.include_usage true was not sent."]
    assert sentences == [*real, *formal]
    assert [sentence for sentence in sentences if sentence in above] == real
    assert f"{len(formal)} changes of form" in fold
    assert len(formal) > 15
