import os

import pytest

from chatapp import env
from chatapp.accounts.mail import mail_settings
from chatapp.env.variables import VARIABLES
from chatapp.management.commands.env_example import render
from history.core.settings import contradictions
from history.core.settings.layers import environment_layer
from history.core.settings.resolution import resolve
from history.core.settings.spec import Integer, LayerName, ModelName

A_NUMBER = "must be a whole number from 1 to 99"


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """Return a function that writes `.env` and sets variables; all others are unset."""
    file = tmp_path / ".env"
    for name in env.DEFAULTS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ENV_FILE", str(file))

    def prepare(file_text="", **variables):
        file.write_text(file_text)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return prepare


def test_the_example_file_is_the_table():
    assert (env.ROOT / ".env.example").read_text() == render()


def test_the_example_file_sets_nothing():
    lines = (env.ROOT / ".env.example").read_text().splitlines()

    assert [line for line in lines if line and not line.startswith("#")] == []


def test_every_variable_stands_once_in_the_table_with_a_meaning():
    names = [variable.name for variable in VARIABLES]

    assert sorted(set(names)) == sorted(names)
    assert [variable.name for variable in VARIABLES if not variable.help] == []


def test_an_unset_variable_has_its_default(environment):
    environment()

    assert env.read("MAX_MESSAGE_BYTES", env.count) == 1_048_576


def test_the_file_is_read(environment):
    environment("TOOL_ROUNDS=3\nDEFAULT_MODEL='openai/x'\n")

    assert env.read("TOOL_ROUNDS", env.count) == 3
    assert env.read("DEFAULT_MODEL", str) == "openai/x"


def test_the_process_is_stronger_than_the_file(environment):
    environment("TOOL_ROUNDS=3", TOOL_ROUNDS="4")

    assert env.read("TOOL_ROUNDS", env.count) == 4


def test_an_empty_variable_is_unset(environment):
    environment("TOOL_ROUNDS=3\nEVENT_HOURS=\n", TOOL_ROUNDS="")

    assert env.read("TOOL_ROUNDS", env.count) == 3
    assert env.read("EVENT_HOURS", env.count) == 24


def test_a_file_that_is_not_there_sets_nothing(environment, monkeypatch):
    environment()
    monkeypatch.setenv("ENV_FILE", os.devnull)

    assert env.from_file() == {}


def test_a_dollar_in_the_file_stands_for_itself(environment):
    environment("SECRET_KEY=a$HOME${PATH}b")

    assert env.read("SECRET_KEY", str) == "a$HOME${PATH}b"


def test_providers_keys_in_the_file_reach_the_libraries(environment, monkeypatch):
    environment("GROQ_API_KEY=from-file")
    monkeypatch.setattr(os, "environ", dict(os.environ))

    env.prepare_libraries()

    assert os.environ["GROQ_API_KEY"] == "from-file"
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"


def test_both_encodings_lie_in_the_folder_of_the_wheel():
    names = {path.name for path in env.encodings_folder().iterdir()}

    assert {
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",  # cl100k_base
        "fb374d419588a4632f3f557e76b4b70aebbca790",  # o200k_base
    } <= names


@pytest.mark.parametrize(
    ("name", "raw", "parse", "fault"),
    [
        pytest.param("DEBUG", "on", env.boolean, "must be true or false", id="boolean"),
        pytest.param("EVENT_HOURS", "0", env.whole(99), A_NUMBER, id="zero"),
        pytest.param("EVENT_HOURS", "-1", env.whole(99), A_NUMBER, id="negative"),
        pytest.param("EVENT_HOURS", "1e3", env.whole(99), A_NUMBER, id="exponent"),
        pytest.param("EVENT_HOURS", "\u0663", env.whole(99), A_NUMBER, id="script"),
        pytest.param(
            "DJANGO_ENV",
            "prod",
            env.one_of("local", "production"),
            "must be one of local, production",
            id="choice",
        ),
        pytest.param(
            "PUBLIC_URL",
            "chat.example.org",
            env.origin,
            "must be an address such as https://chat.example.org",
            id="no scheme",
        ),
        pytest.param(
            "PUBLIC_URL",
            "https://example.org/chat",
            env.origin,
            "must be an address such as https://chat.example.org",
            id="path",
        ),
        pytest.param(
            "HISTORY_LENGTH_MAX",
            "0",
            env.optional(Integer(1, 10_000).from_text),
            "must be a whole number from 1 to 10,000",
            id="cap",
        ),
        *(
            pytest.param(
                "HISTORY_CUSTOM_PRUNERS",
                raw,
                env.dotted_paths,
                "must be name=package.module.function, separated by commas, each name once",
                id=f"paths {raw}",
            )
            for raw in ("mine", "mine=", "=a.b", "mine=function", "a=m.x,a=m.y")
        ),
    ],
)
def test_a_bad_value_names_the_variable_the_value_and_the_rule(
    environment, name, raw, parse, fault
):
    environment(**{name: raw})

    with pytest.raises(env.EnvironmentRefused) as refusal:
        env.read(name, parse)

    assert str(refusal.value) == f"{name}={raw!r} in the environment: {fault}"


@pytest.mark.parametrize(
    ("parse", "raw", "value"),
    [
        pytest.param(env.boolean, "True", True, id="true in any case"),
        pytest.param(env.boolean, "0", False, id="0 is false"),
        pytest.param(env.names, "a.org, b.org,", ["a.org", "b.org"], id="names"),
        pytest.param(env.optional(env.count), "", None, id="an optional one that is unset"),
        pytest.param(env.optional(env.count), "5", 5, id="an optional one that is set"),
        pytest.param(env.dotted_paths, "", {}, id="no paths"),
        pytest.param(
            env.dotted_paths, "a=m.x, b = m.n.y,", {"a": "m.x", "b": "m.n.y"}, id="two paths"
        ),
        pytest.param(env.origin, "https://a.org/", "https://a.org", id="origin without slash"),
        pytest.param(env.origin, "http://a.org:81", "http://a.org:81", id="origin with port"),
    ],
)
def test_values_are_read(parse, raw, value):
    assert parse(raw) == value


def test_production_names_everything_that_is_wrong_at_once():
    with pytest.raises(env.EnvironmentRefused) as refusal:
        env.refuse("production", {"A is missing": True, "B is bad": False, "DEBUG is true": True})

    assert str(refusal.value) == (
        "DJANGO_ENV=production: A is missing; DEBUG is true. See .env.example."
    )


def test_an_environment_that_contradicts_itself_is_refused():
    variables = {"HISTORY_KEEP_RECENT": "50", "HISTORY_TRIGGER_AT": "40"}

    with pytest.raises(env.EnvironmentRefused) as refusal:
        env.refuse_contradictions(environment_layer(variables))

    assert str(refusal.value) == (
        "Contradictory settings in the environment: “Recent messages not summarised” 50 (the "
        "server's HISTORY_KEEP_RECENT) must be less than “Summarise at” 40 (the server's "
        "HISTORY_TRIGGER_AT), or there is nothing to summarise: lower “Recent messages not "
        "summarised” or raise “Summarise at”."
    )


def test_what_another_layer_could_mend_is_not_refused():
    layer = environment_layer({"HISTORY_SUMMARIZE": "true"})

    env.refuse_contradictions(layer)

    (found,) = contradictions.find(resolve([layer]))
    assert found.layers == {LayerName.ENVIRONMENT, LayerName.BUILT_IN}


@pytest.mark.parametrize(
    ("variables", "allowed", "refused"),
    [
        pytest.param({}, "openai", "ollama", id="the cloud only"),
        pytest.param({"OLLAMA_API_BASE": "http://gpu:1"}, "ollama_chat", "lm_studio", id="Ollama"),
        pytest.param({"LM_STUDIO_API_BASE": "http://gpu:1"}, "lm_studio", "ollama", id="another"),
        pytest.param({"MODEL_PROVIDERS": "groq, ollama"}, "ollama", "openai", id="a list"),
        pytest.param(
            {"MODEL_PROVIDERS": "groq", "OLLAMA_API_BASE": "http://gpu:1"},
            "groq",
            "ollama",
            id="a list is all there is",
        ),
    ],
)
def test_which_providers_may_be_asked(environment, variables, allowed, refused):
    environment(**variables)

    found = env.model_providers()
    assert (allowed in found, refused in found) == (True, False)


def test_the_default_model_is_no_address(environment):
    environment(DEFAULT_MODEL="oobabooga/http://10.0.0.1/x")

    with pytest.raises(
        env.EnvironmentRefused, match=r"^DEFAULT_MODEL='oobabooga.* must be a model"
    ):
        env.read("DEFAULT_MODEL", env.optional(ModelName().from_text))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("smtp://ada:p%40ss@mail.example", {"EMAIL_PORT": 587, "EMAIL_USE_TLS": True}),
        ("smtps://mail.example:1465", {"EMAIL_PORT": 1465, "EMAIL_USE_SSL": True}),
        ("smtp+plain://127.0.0.1", {"EMAIL_PORT": 25}),
    ],
)
def test_a_mail_server_is_an_address(environment, address, expected):
    environment(EMAIL_URL=address)

    found = env.read("EMAIL_URL", mail_settings)
    assert expected.items() <= found.items()
    assert found["EMAIL_HOST_PASSWORD"] == ("p@ss" if "ada" in address else "")
    assert len([name for name in found if name.startswith("EMAIL_USE")]) <= 1


@pytest.mark.parametrize(
    "address", ["mail.example", "http://mail.example", "smtp://u:secret@", "smtp://h:99999"]
)
def test_a_bad_mail_server_is_named_without_its_password(environment, address):
    environment(EMAIL_URL=address)

    with pytest.raises(env.EnvironmentRefused, match=r"^EMAIL_URL in the environment: ") as refused:
        env.read("EMAIL_URL", mail_settings)
    assert "secret" not in str(refused.value)


def test_providers_are_named_with_their_protocols(environment):
    environment(PROVIDERS="work=openai, my-lab=ollama_chat", MY_LAB_API_BASE="http://lab:11434")

    assert env.read("PROVIDERS", env.provider_protocols) == {
        "work": "openai",
        "my-lab": "ollama_chat",
    }
    assert {"work", "my-lab"} <= env.model_providers()
    assert env.of_provider("my-lab", "API_BASE") == "http://lab:11434"


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        ("work=opnai", "work: 'opnai' is not one of openai, "),
        ("anthropic=openai", "anthropic: anthropic already means something else"),
        ("demo=openai", "demo: demo already means something else"),
        ("Work=openai", "Work: use lower-case letters"),
        ("work=openai, work=mistral", "each name may come once"),
        ("work", "work: '' is not one of"),
    ],
)
def test_a_bad_provider_is_refused_at_the_start(environment, raw, why):
    environment(PROVIDERS=raw)

    with pytest.raises(env.EnvironmentRefused) as refused:
        env.read("PROVIDERS", env.provider_protocols)

    assert f"PROVIDERS={raw!r} in the environment: {why}" in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "why"),
    [("nope", "nope is none of anthropic, "), ("openai, work", "work stands for hosted_vllm: ")],
)
def test_tags_are_read_for_providers_that_there_are(environment, raw, why):
    environment(REASONING_TAGS=raw, PROVIDERS="openai=openai, work=hosted_vllm")

    with pytest.raises(env.EnvironmentRefused) as refused:
        env.read("REASONING_TAGS", env.tagged_providers)

    assert f"REASONING_TAGS={raw!r} in the environment: {why}" in str(refused.value)


def test_tags_of_every_provider_with_an_address_can_be_read(environment):
    environment(REASONING_TAGS="openai,xinference", XINFERENCE_API_BASE="http://gpu:1")

    assert env.read("REASONING_TAGS", env.tagged_providers) == ["openai", "xinference"]
