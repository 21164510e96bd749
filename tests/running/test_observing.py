"""What a server tells an operator's programs: metrics, spans, and logs that name the spans."""

import json
import re
import time

import httpx
import pytest

from tests.otlp_collector import collecting
from tests.patience import PATIENCE, eventually, seconds
from tests.people import Person
from tests.ports import free_port
from tests.provider import Call, Reply
from tests.running.test_tools import equip
from tests.servers import running

TOKEN = "a-token-of-the-operator"
SECRET = "Xanadu"  # A word in every text of the chat.
SUM = Call("calculator", '{"expression": "6*7"}', id="c1")
USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
}
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)


@pytest.fixture(scope="module")
def collector():
    with collecting() as collector:
        yield collector


@pytest.fixture(scope="module")
def served(migrated, module_provider, collector, tmp_path_factory):
    folder = tmp_path_factory.mktemp("observed") / "data"
    environment = {
        **module_provider.environment,
        "METRICS_ADDRESS": f"127.0.0.1:{free_port()}",
        "METRICS_TOKEN": TOKEN,
        "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "OTEL_BSP_SCHEDULE_DELAY": "100",
        "OTEL_SERVICE_NAME": "our-vitrine",
        "LOG_FORMAT": "json",
        "SENDS_PER_MINUTE": "1000",
    }
    with running(migrated, folder, **environment) as server:
        equip(server)
        yield server


def scraped(server, path="/metrics", token=TOKEN):
    url = f"http://{server.environment['METRICS_ADDRESS']}{path}"
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.get(url, headers=headers, timeout=PATIENCE)


def values(server):
    """Return every metric's value by its name and labels."""
    return {
        (name, frozenset(re.findall(r'(\w+)="([^"]*)"', labels))): float(value)
        for name, labels, value in SAMPLE.findall(scraped(server).text)
    }


def value(samples, name, **labels):
    return samples.get((f"vitrine_{name}", frozenset(labels.items())), 0)


def risen(before, after, name, **labels):
    return value(after, name, **labels) - value(before, name, **labels)


def told(collector, generation, count):
    """Return all spans of a generation's trace, once there are at least `count`."""

    def spans():
        roots = [
            span
            for span in collector.named("invoke_agent")
            if span.attributes["vitrine.generation.id"] == generation
        ]
        return [span for span in collector.spans if roots and span.trace == roots[0].trace]

    assert eventually(lambda: len(spans()) >= count), [span.name for span in collector.spans]
    return spans()


def test_strangers_read_no_metrics(served):
    assert scraped(served, token="").status_code == 401
    assert scraped(served, token=TOKEN[:-1]).status_code == 401
    assert scraped(served, "/").status_code == 404
    assert scraped(served).status_code == 200
    for path in ("/metrics", "/metrics/"):
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        assert httpx.get(f"{served.url}{path}", headers=bearer, timeout=PATIENCE).status_code == 404


@pytest.mark.daily
def test_an_answer_is_counted_with_all_that_it_took(served, ada, provider):
    provider.script(
        Reply(status=503),
        Reply(calls=[SUM], finish="tool_calls", usage=USAGE),
        Reply(text=[SECRET], usage=USAGE),
    )
    before = values(served)

    with ada.tab() as tab:
        assert eventually(lambda: risen(before, values(served), "sockets") == 1)
        _, end = tab.ask(f"A secret: {SECRET}", agent="goldfish")
    after = values(served)

    assert end["status"] == "done"
    model = model_in(after)
    assert value(after, "answers_open", state="running") == 0
    assert risen(before, after, "answers_total", status="done", kind="") == 1
    assert risen(before, after, "answer_seconds_count") == 1
    requests = "provider_requests_total"
    assert risen(before, after, requests, model=model, outcome="overloaded") == 1
    assert risen(before, after, requests, model=model, outcome="ok") == 2
    assert risen(before, after, "provider_retries_total", model=model) == 1
    assert risen(before, after, "first_token_seconds_count", model=model) == 2
    tokens = {kind: risen(before, after, "tokens_total", model=model, type=kind) for kind in KINDS}
    assert tokens == {"input": 200, "cached": 80, "output": 40}
    assert risen(before, after, "tool_calls_total", outcome="ok") == 1
    assert risen(before, after, "tool_seconds_count") == 1
    assert risen(before, after, "database_seconds_count") > 5
    assert risen(before, after, "database_wait_seconds_count") > 5
    assert risen(before, after, "event_log_flushes_total", outcome="failed") == 0
    assert eventually(lambda: risen(before, values(served), "event_loop_lag_seconds_count") > 0)
    assert SECRET not in scraped(served).text


KINDS = ("input", "cached", "output")


def model_in(samples):
    (found,) = {
        dict(labels)["model"]
        for name, labels in samples
        if name == "vitrine_provider_requests_total"
    }
    return found


def test_a_failure_and_a_refusal_are_counted_by_their_kind(served, ada, provider):
    provider.script(Reply(status=401))
    before = values(served)

    with ada.tab() as tab:
        _, end = tab.ask(SECRET, agent="goldfish")
    after = values(served)

    assert end["status"] == "failed"
    assert risen(before, after, "answers_total", status="failed", kind="auth") == 1
    assert risen(before, after, "answers_total", status="done", kind="") == 0
    model = model_in(after)
    assert risen(before, after, "provider_requests_total", model=model, outcome="auth") == 1


def test_a_turn_is_a_span_with_its_plans_requests_and_calls(served, ada, provider, collector):
    provider.script(
        Reply(calls=[SUM], finish="tool_calls", usage=USAGE), Reply(text=[SECRET], usage=USAGE)
    )

    with ada.tab() as tab:
        ack, _ = tab.ask(f"What is {SECRET}?", agent="goldfish")
    spans = told(collector, ack["generation"], 6)

    names = sorted(span.name for span in spans)
    model = names[0].removeprefix("chat ")
    assert names == [
        *[f"chat {model}"] * 2,
        "execute_tool calculator",
        "invoke_agent goldfish",
        *["plan request"] * 2,
    ]
    (turn,) = [span for span in spans if span.name.startswith("invoke_agent")]
    assert {span.parent for span in spans} == {turn.id, ""}
    assert turn.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert turn.attributes["gen_ai.agent.name"] == "goldfish"
    assert turn.attributes["gen_ai.conversation.id"] == ack["conversation"]
    assert (turn.attributes["vitrine.status"], turn.status) == ("done", "")
    chat = next(span for span in spans if span.name.startswith("chat"))
    assert chat.attributes["gen_ai.operation.name"] == "chat"
    asked = [chat.attributes[f"gen_ai.{name}"] for name in ("provider.name", "request.model")]
    assert "/".join(asked) == model
    assert chat.attributes["gen_ai.usage.input_tokens"] == 100
    assert chat.attributes["gen_ai.usage.output_tokens"] == 20
    assert chat.attributes["gen_ai.usage.cache_read.input_tokens"] == 40
    assert chat.attributes["gen_ai.response.finish_reasons"] == ["tool_calls"]
    assert chat.attributes["gen_ai.response.time_to_first_chunk"] > 0
    (tool,) = [span for span in spans if span.name.startswith("execute_tool")]
    assert tool.attributes["gen_ai.operation.name"] == "execute_tool"
    assert tool.attributes["gen_ai.tool.name"] == "calculator"
    assert collector.services == {"our-vitrine"}
    assert SECRET.encode() not in collector.raw


def test_a_failed_span_has_the_kind_and_the_log_names_the_trace(served, ada, provider, collector):
    provider.script(Reply(status=401, body=json.dumps({"error": {"message": SECRET}})))

    with ada.tab() as tab:
        ack, _ = tab.ask(SECRET, agent="goldfish")
    spans = told(collector, ack["generation"], 3)

    failed = {span.name.split()[0]: span for span in spans if span.status == "error"}
    assert set(failed) == {"invoke_agent", "chat"}
    assert {span.attributes["error.type"] for span in failed.values()} == {"auth"}
    assert {span.message for span in failed.values()} == {"auth"}
    entries = [json.loads(line) for line in served.log.read_text().splitlines() if line[:1] == "{"]
    logged = [each for each in entries if each.get("trace_id") == spans[0].trace]
    assert [each["span_id"] for each in logged] == [failed["chat"].id]
    assert "failed when asked" in logged[0]["message"]
    assert SECRET.encode() not in collector.raw


def test_a_tool_that_a_model_made_up_is_not_named(served, ada, provider, collector):
    made_up = Call(f"tell_{SECRET}", id="c9")
    provider.script(Reply(calls=[made_up], finish="tool_calls"), Reply(text=["Hm."]))

    with ada.tab() as tab:
        ack, _ = tab.ask("Go", agent="goldfish")
    spans = told(collector, ack["generation"], 6)

    (tool,) = [span for span in spans if span.name.startswith("execute_tool")]
    assert tool.name == "execute_tool unknown"
    assert (tool.status, tool.attributes["error.type"]) == ("error", "tool_failed")
    assert SECRET.encode() not in collector.raw


def test_the_last_spans_are_sent_before_the_end_though_a_collector_is_gone_ends_in_time(
    migrated, tmp_path, module_provider
):
    environment = {
        **module_provider.environment,
        "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}",
    }
    with running(migrated, tmp_path / "data", **environment) as server:
        with Person(server).tab() as tab:
            _, end = tab.ask("Hello", agent="demo")
        began = time.monotonic()
        server.terminate()

    assert end["status"] == "done"
    assert time.monotonic() - began < seconds(12)


def test_a_port_that_is_taken_is_an_error_that_names_the_way_out(served, app):
    taken = served.environment["METRICS_ADDRESS"]

    with pytest.raises(AssertionError, match="Each process needs a port of its own"):
        app(METRICS_ADDRESS=taken)
