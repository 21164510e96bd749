"""The fake provider does what the tests tell it, here from another process."""

import json
import socket
import subprocess
import sys
import time
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.patience import PATIENCE


@pytest.fixture
def url():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-m", "tests.provider", "--port", str(port)])
    try:
        yield until_it_listens(f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def until_it_listens(url):
    for _ in range(400):
        try:
            get(f"{url}/requests")
        except URLError:
            time.sleep(0.05)
        else:
            return url
    raise AssertionError(f"nobody listens at {url}")


def get(url):
    with urlopen(url, timeout=PATIENCE) as response:
        return json.load(response)


def post(url, body):
    request = Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=PATIENCE) as response:
        return response.read().decode()


def spoken(stream):
    events = [json.loads(line[6:]) for line in stream.split("\n\n") if line.startswith("data: {")]
    return "".join(event["choices"][0]["delta"].get("content", "") for event in events)


def test_the_provider_is_scripted_and_read_over_http(url):
    post(f"{url}/script", [{"text": ["Hel", "lo"], "calls": [{"name": "f"}]}])
    completions = f"{url}/v1/chat/completions"

    answers = [spoken(post(completions, {"n": number})) for number in (1, 2)]

    assert answers == ["Hello", "reply 2"]
    assert get(f"{url}/requests") == [{"n": 1}, {"n": 2}]


def test_a_reply_that_hangs_goes_on_when_released(url):
    post(f"{url}/script", [{"text": ["a", "b"], "hang_after": 1}])
    post(f"{url}/release", {})

    assert spoken(post(f"{url}/v1/chat/completions", {})) == "ab"
