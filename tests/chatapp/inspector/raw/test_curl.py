"""The request as a curl command has the provider's path, but no key."""

import subprocess

import pytest

from chatapp.inspector.raw.curl import curl

MESSAGES = [{"role": "user", "content": "It's $HOME, `id` and\nREQUEST"}]


def command(model="openai/gpt-4o", *, staff=True, notes="", **fields):
    body = {"model": model, "messages": MESSAGES, "stream": True, **fields}
    return curl(body, notes=notes, shows_address=staff)


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary")
    monkeypatch.setenv("OPENAI_API_BASE", "")


@pytest.mark.parametrize(
    ("model", "address"),
    [
        ("openai/gpt-4o", "https://api.openai.com/v1/chat/completions"),
        ("groq/llama3", "https://api.groq.com/openai/v1/chat/completions"),
        ("anthropic/claude-3-5-sonnet-20241022", "https://api.anthropic.com/v1/chat/completions"),
        ("hosted_vllm/own", '"$API_BASE/chat/completions"'),
        ("demo/mirror", '"$API_BASE/chat/completions"'),
        ("nobody/knows", '"$API_BASE/chat/completions"'),
    ],
)
def test_staff_see_the_provider_and_its_path(model, address):
    assert f"curl {address} " in command(model)


def test_a_configured_address_is_shown_without_its_password(monkeypatch):
    monkeypatch.setenv("OPENAI_API_BASE", "https://user:canary@proxy.example:8443/v1/?key=canary")

    text = command()

    assert "curl https://proxy.example:8443/v1/chat/completions " in text
    assert "canary" not in text


def test_others_put_in_an_address_of_their_own():
    text = command(staff=False)

    assert 'curl "$API_BASE/chat/completions" ' in text
    assert "openai.com" not in text


def test_the_key_is_a_placeholder():
    text = command()

    assert '"Authorization: Bearer $API_KEY"' in text
    assert "sk-canary" not in text


def test_the_model_has_the_name_it_has_there():
    assert '"model": "gpt-4o"' in command()


def test_what_litellm_takes_out_is_not_sent():
    assert "injection" not in command(cache_control_injection_points=[{"location": "message"}])


def test_what_only_the_responses_api_takes_is_not_sent():
    said = {"role": "assistant", "content": "A", "reasoning_items": [{"type": "reasoning"}]}
    body = {"store": False, "include": ["reasoning.encrypted_content"], "messages": [said]}
    text = command("openai/responses/gpt-5.6", **body)

    assert '"model": "gpt-5.6"' in text
    assert not [name for name in ("reasoning", "store", "include") if name in text]


def test_notes_are_comments():
    assert command(notes="one\ntwo").startswith("# one\n# two\n")


def test_a_shell_hands_the_body_on_as_it_is(tmp_path):
    """A fake curl prints what it is given."""
    fake = tmp_path / "curl"
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$5" && cat\n')
    fake.chmod(0o755)

    done = subprocess.run(
        ["sh", "-c", command(staff=False)],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "API_KEY": "k", "API_BASE": "http://a"},
        capture_output=True,
        text=True,
        check=True,
    )

    assert '"content": "It\'s $HOME, `id` and\\nREQUEST"' in done.stdout
