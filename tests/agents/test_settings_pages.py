"""The history settings on the admin's pages: groups, contradictions, processors."""

import json
import re

import pytest

from agents.models import AgentTemplate, SiteDefaults
from agents.templatetags.forms import set_here
from history.core.settings import registry
from history.core.settings.layers import environment_layer
from tests.agents.pages import add_page, change_page, errors, submit, warnings
from tests.chatapp.inspector.pages import text_of

pytestmark = pytest.mark.django_db

CHAIN = [
    {"use": "tool_call_filter", "exclude": ["debug_tool"], "persist_results": True},
    {"use": "token_limiter", "limit": 16_000},
]


def fieldsets(response):
    """Return each section's title with its changed fields. Only the first section starts open."""
    first, *folds = response.context["adminform"]
    assert all("collapse" in fold.classes for fold in folds)
    return {part.name: set_here(part) for part in (first, *folds)}


def test_settings_stand_in_folds_that_say_what_is_set(admin_client, template):
    template.history_settings |= {"summarize_every": 5}
    template.save()

    page = admin_client.get(change_page(template))

    assert fieldsets(page) == {
        None: "Name, History policy, History length",
        "Address, description, starters": "Slug",
        "Model: more": "",
        "Tools and delegation": "",
        "Prompt: context texts": "",
        "Memory: window": "",
        "Memory: budget": "",
        "Memory: tool results": "",
        "Memory: images and files": "",
        "Memory: reasoning": "",
        "Memory: cache": "",
        "Memory: summaries": "Summarise again every",
        "Memory: processors": "",
    }


def test_people_choose_and_read_words_not_what_programs_are_told(admin_client, template, site):
    pages = [change_page(template), change_page(site), add_page("agenttemplate")]

    texts = [text_of(admin_client.get(page)) for page in pages]

    raw = ("lastN", "fifo", "sliding_window", "DEFAULT_MODEL")
    assert [name for text in texts for name in raw if name in text] == []
    said = [
        "Everything The last turns Only the new message",
        "all but the newest turns",
        "Default: the oldest turns.",
    ]
    assert [words for text in texts for words in said if words not in text] == []
    policy = "History policy the last turns agent helper v1 the last turns built-in: same value"
    assert policy in texts[0]


def options(response, name):
    """Return the words of a setting's options."""
    return [
        words for _value, words in response.context["adminform"].form[name].field.widget.choices
    ]


def test_leaving_the_effort_to_the_provider_is_offered_once(admin_client, template, site):
    name, leaving = "history_reasoning_effort", "as the provider decides"
    agents, sites = change_page(template), change_page(site)

    for page in (agents, sites):
        offered = options(admin_client.get(page), name)
        assert offered[:2] == [f"default ({leaving})", "none"]
        assert leaving not in offered
    site.history_settings = {"reasoning_effort": "high"}
    site.save()
    assert options(admin_client.get(agents), name)[:3] == ["default (high)", leaving, "none"]


def test_an_effort_that_was_stored_is_not_lost(admin_client, template):
    template.history_settings = {"reasoning_effort": "default"}
    template.save()

    submit(admin_client, change_page(template), name="Helper again")

    template.refresh_from_db()
    assert template.history_settings == {"reasoning_effort": "default"}


def test_the_options_of_the_prefix_say_what_each_does(admin_client, template):
    assert options(admin_client.get(change_page(template)), "history_prefix") == [
        "default",
        "free to change with every request",
        "stable while tools run, with windows that move in steps",
    ]


def test_a_lock_is_told_in_words(admin_client, template, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_PRUNER": "sliding_window"})

    text = text_of(admin_client.get(change_page(template)))

    assert "Set to all but the newest turns by the server's HISTORY_PRUNER." in text


def test_every_kind_of_setting_is_stored(admin_client, template):
    values = {
        "max_items": "40",
        "pruner": "sliding_window",
        "summarize": "false",
        "summary_model": "small/model",
        "token_stride": "1000",
    }

    submit(admin_client, change_page(template), **{f"history_{k}": v for k, v in values.items()})

    assert AgentTemplate.objects.get().history_settings == {
        "policy": "lastN",
        "length": 12,
        "max_items": 40,
        "pruner": "sliding_window",
        "token_stride": 1_000,
        "summarize": False,
        "summary_model": "small/model",
    }


def test_a_pruner_of_ones_own_is_offered(admin_client, template, monkeypatch):
    monkeypatch.setattr(registry, "pruners", {"mine": lambda turns, settings, budget: 0})

    page = admin_client.get(change_page(template)).content.decode()
    submit(admin_client, change_page(template), history_pruner="mine")

    assert '<option value="mine">mine</option>' in page
    assert AgentTemplate.objects.get().history_settings["pruner"] == "mine"


@pytest.mark.parametrize(
    ("changes", "field", "named"),
    [
        pytest.param(
            {"keep_recent": "100"},
            "history_keep_recent",
            ("“Recent messages not summarised” 100 (this page)", "“Summarise at” 100 (built-in)"),
            id="nothing to summarise",
        ),
        pytest.param(
            {"context_window": "600", "output_reserve": "700"},
            "history_output_reserve",
            ("“Output reserve” 700 (this page)", "“Context window” 600 (this page)"),
            id="no room for history",
        ),
        pytest.param(
            {"output_reserve": "128000"},
            "history_output_reserve",
            ("“Output reserve” 128,000 (this page)", "“Context window” 128,000 (model catalogue)"),
            id="no room in the model's own window",
        ),
        pytest.param(
            {"summary_model": "nope/model"},
            "history_summary_model",
            ("“Summary model” nope/model (this page)", "no such provider"),
            id="unknown provider",
        ),
    ],
)
def test_a_contradiction_is_an_error_at_its_field(admin_client, template, changes, field, named):
    posted = {f"history_{name}": value for name, value in changes.items()}

    response = submit(admin_client, change_page(template), **posted)

    complaint = only_error(response, field)
    assert [each for each in named if each not in complaint] == []
    assert AgentTemplate.objects.get().version == 1


def test_a_model_that_no_catalogue_knows_is_no_error(admin_client, template):
    submit(admin_client, change_page(template), history_summary_model="local/llama")

    assert AgentTemplate.objects.get().history_settings["summary_model"] == "local/llama"


def test_a_page_that_takes_part_in_a_contradiction_is_refused(admin_client, template):
    """The site asks for summaries. An agent that keeps only 12 turns would contradict that."""
    SiteDefaults.objects.create(history_settings={"summarize": True})

    response = submit(admin_client, change_page(template), name="Other")

    assert [*errors(response)] == ["history_length"]
    assert errors(response)["history_length"][0].startswith("“History length” 12 (this page) ")


def test_what_others_contradict_is_a_warning_in_the_preview(admin_client, template):
    SiteDefaults.objects.create(history_settings={"keep_recent": 50, "trigger_at": 40})

    page = admin_client.get(change_page(template))
    submit(admin_client, change_page(template), name="Other")

    (sentence,) = warnings(page)
    assert re.match(
        r"“Recent messages not summarised” 50 \(site\) .*“Summarise at” 40 \(site\)", sentence
    )
    assert sentence in page.content.decode()
    assert AgentTemplate.objects.get().name == "Other"


def only_error(response, field):
    ((at, (complaint,)),) = errors(response).items()
    assert at == field
    return complaint


TOO_MUCH = r"“Output reserve” 200,000 \(this page\) .*“Context window” 128,000 \(model catalogue\)"


def test_the_site_is_refused_what_leaves_an_agent_no_room(admin_client, template):
    AgentTemplate.objects.create(slug="own", name="Own", history_settings={"output_reserve": 50})
    AgentTemplate.objects.create(slug="second", name="Second")

    response = submit(admin_client, add_page("sitedefaults"), history_output_reserve="200000")

    assert re.match(f"Helper, Second: {TOO_MUCH}", only_error(response, "history_output_reserve"))
    assert SiteDefaults.objects.count() == 0


def test_where_there_is_no_agent_yet_the_default_model_counts(admin_client):
    response = submit(admin_client, add_page("sitedefaults"), history_output_reserve="200000")

    assert re.match(f"a new agent: {TOO_MUCH}", only_error(response, "history_output_reserve"))


def test_the_site_is_not_asked_about_a_models_window(admin_client):
    submit(admin_client, add_page("sitedefaults"), history_output_reserve="10000")

    assert SiteDefaults.objects.get().history_settings == {"output_reserve": 10_000}
    assert warnings(admin_client.get(change_page(SiteDefaults.objects.get()))) == []


def test_the_site_is_refused_what_it_contradicts_itself(admin_client, site):
    response = submit(admin_client, change_page(site), history_summarize="true")

    assert [*errors(response)] == ["history_length"]
    assert SiteDefaults.objects.get().history_settings == {"length": 40}


def test_the_environment_takes_part(admin_client, template, settings):
    settings.HISTORY_ENVIRONMENT = environment_layer({"HISTORY_TRIGGER_AT": "5"})

    response = submit(admin_client, change_page(template), history_keep_recent="5")

    (sentence,) = errors(response)["history_keep_recent"]
    assert "“Recent messages not summarised” 5 (this page)" in sentence
    assert "“Summarise at” 5 (the server's HISTORY_TRIGGER_AT)" in sentence


@pytest.mark.parametrize("fixture", ["template", "site"])
def test_processors_are_stored_and_shown_as_json(admin_client, request, fixture):
    obj = request.getfixturevalue(fixture)

    submit(admin_client, change_page(obj), processors=json.dumps(CHAIN))
    obj.refresh_from_db()
    page = admin_client.get(change_page(obj))

    assert obj.processors == CHAIN
    assert fieldsets(page)["Memory: processors"] == "Processors"
    assert "\n  {\n    " in page.context["adminform"].form["processors"].value()


def test_emptied_processors_are_none(admin_client, template):
    AgentTemplate.objects.update(processors=CHAIN)

    submit(admin_client, change_page(template), processors="")

    assert AgentTemplate.objects.get().processors == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        pytest.param("[{", "This text is not JSON: Expecting", id="no JSON"),
        pytest.param("[" * 5_000, "This text is nested too deeply", id="deeper than Python goes"),
        pytest.param(
            "[" * 101 + "]" * 101, "This text is nested too deeply", id="too deep to be shown again"
        ),
        pytest.param(
            '[{"use": "tool_call_filter", "exclude": ["\\u0000"]}]',
            "This text contains a NUL character",
            id="what no database holds",
        ),
        pytest.param(
            '[{"use": "tool_call_filter", "include": ["a"], "exclude": ["b"]}]',
            "Name the tools in one of the two fields, not in both.",
            id="an option too many",
        ),
        pytest.param('"token_limiter"', "agent level: must be a list", id="no list"),
    ],
)
def test_bad_processors_are_an_error_at_their_field(admin_client, template, text, complaint):
    response = submit(admin_client, change_page(template), processors=text)

    (sentence,) = errors(response)["processors"]
    assert complaint in sentence
    assert AgentTemplate.objects.get().processors == []
