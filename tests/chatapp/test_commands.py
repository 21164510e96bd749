import os
import re
import signal
import subprocess
import sys
import urllib.request
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from agents.models import AgentTemplate
from chatapp.databases.folder import claim_folder
from chatapp.env import DEFAULTS, ROOT
from chatapp.management.commands.env_example import render
from chatapp.management.commands.serve import WAY_OUT
from tests import data

pytestmark = pytest.mark.machine

READY = re.compile(r"Vitrine is ready: (http\S+)/chat\?agent=demo")
PASSWORD = re.compile(r"Administrator: admin, password (\S+)")


def output_of(command, **options):
    written = StringIO()
    call_command(command, stdout=written, **options)
    return written.getvalue()


def test_env_example_prints_the_file():
    assert output_of("env_example") == render()


@pytest.mark.django_db
class TestBootstrap:
    def test_the_first_start_makes_agents_and_an_administrator(self, client):
        printed = output_of("bootstrap")

        own = "demo, archivist, goldfish, seeker, oneshot, courier"
        slugs = f"{own}, greeter, researcher, accountant, support"
        assert f"Demo agents: {slugs}." in printed
        assert client.login(username="admin", password=PASSWORD.search(printed)[1])
        assert User.objects.get().is_superuser
        assert AgentTemplate.objects.filter(slug="demo").exists()

    def test_a_later_start_says_and_changes_nothing(self):
        output_of("bootstrap")
        password = User.objects.get().password

        assert output_of("bootstrap") == ""
        assert User.objects.get().password == password

    def test_every_installation_has_another_password(self):
        first = PASSWORD.search(output_of("bootstrap"))[1]
        User.objects.all().delete()

        assert PASSWORD.search(output_of("bootstrap"))[1] != first

    def test_an_administrator_of_another_name_is_enough(self):
        User.objects.create_superuser("ada", password="x")

        assert PASSWORD.search(output_of("bootstrap")) is None
        assert User.objects.count() == 1

    def test_an_ordinary_person_called_admin_is_left_alone(self):
        person = User.objects.create_user("admin", password="x")

        printed = output_of("bootstrap")

        person.refresh_from_db()
        assert "No administrator yet. Create one with manage.py createsuperuser." in printed
        assert not person.is_superuser

    def test_production_makes_no_account(self, settings):
        settings.PRODUCTION = True

        printed = output_of("bootstrap")

        assert "No administrator yet. Create one with manage.py createsuperuser." in printed
        assert not User.objects.exists()


class TestClaiming:
    def test_one_folder_has_one_server(self, tmp_path):
        with claim_folder(tmp_path, WAY_OUT), pytest.raises(CommandError) as refusal:
            claim_folder(tmp_path, WAY_OUT)

        assert (
            str(refusal.value) == f"Another Vitrine is already running on the data in {tmp_path}.\n"
            "Stop it first (Ctrl+C in its terminal, or stop its service), "
            "or start this one with data of its own:\n  DATA_DIR=another-folder make run PORT=8001"
        )

    def test_a_server_that_has_gone_leaves_its_folder_free(self, tmp_path):
        with claim_folder(tmp_path, WAY_OUT):
            pass

        with claim_folder(tmp_path, WAY_OUT) as lock:
            assert not lock.closed


@pytest.fixture
def start(tmp_path):
    """Return a function that runs `manage.py serve` and returns its process, address and output."""
    inherited = {name: value for name, value in os.environ.items() if name not in DEFAULTS}
    own = {"ENV_FILE": os.devnull, **data.variables(data.make(tmp_path))}
    processes = []

    def start():
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0"],
            cwd=ROOT,
            env=inherited | own,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        said = ""
        while not (ready := READY.search(said)):
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            said += line
        return process, ready[1], said

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def status_of(address):
    with urllib.request.urlopen(address) as answer:
        return answer.status


@pytest.mark.whole
class TestServe:
    def test_it_answers_as_soon_as_it_says_so(self, start):
        _, address, _ = start()

        assert status_of(f"{address}/healthz") == 200
        assert status_of(f"{address}/chat?agent=demo") == 200

    def test_ctrl_c_stops_it_without_a_traceback(self, start):
        process, _, _ = start()

        process.send_signal(signal.SIGINT)
        said, complained = process.communicate()

        assert said.endswith("\nVitrine has stopped.\n")
        assert complained == ""
        assert process.returncode == 0

    def test_a_restart_keeps_the_data_and_makes_no_second_password(self, start, tmp_path):
        process, _, first = start()
        process.send_signal(signal.SIGINT)
        process.communicate()

        _, _, second = start()

        assert PASSWORD.search(first)
        assert PASSWORD.search(second) is None
        assert data.execute(tmp_path, "SELECT count(*) FROM auth_user") == [(1,)]
