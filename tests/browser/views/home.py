"""An app after some weeks of use: a person's chats, files and import, and a visitor."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.browser.tab import PASSWORD
from tests.browser.views.agents import MAKE
from tests.browser.views.old_chats import export
from tests.browser.views.stand_in import StandIn
from tests.chatapp.uploads.making import image
from tests.patience import eventually
from tests.people import Person
from tests.provider import Call, Reply
from tests.servers import AppServer, manage, running

TALK = Path(__file__).with_name("norway.md")
PROMPT = TALK.with_name("instructions.md")
SETTINGS = {"DEFAULT_MODEL": "openai/gpt-4o", "EMAIL_URL": "smtp+plain://127.0.0.1:9"}
UNDER_WAY = ("waiting", "running")  # States of an unfinished import.
NOTE = Call("send_note", json.dumps({"to": "Grandma", "text": "We arrive on 14 June."}), id="n1")
SUM = Call("calculator", '{"expression": "2.5 * (599 + 699 + 799)"}', id="c1")
TASK = Call("ask_trips", '{"task": "Find the slowest train in Norway"}', id="a1")
PASS_ON = Call("transfer_to_researcher", '{"reason": "this needs the report"}', id="t1")
RENDER = """from django.template.loader import render_to_string
print(render_to_string("{template}", {{"sentence": "The database is full."}}))"""
READ = "UPDATE history_conversation SET has_new_answer = FALSE WHERE title <> 'Is anybody there?'"
SMALL_TALKS = (
    ("goldfish", "Why does bread rise?", "Yeast eats sugar and breathes out gas; gluten holds it."),
    ("demo", "Words for a birthday card to my brother", "Forty looks good on you. Stay curious!"),
    ("archivist", "Keep this: the lighthouse key is under the blue pot.", "Noted, message 1."),
    ("demo", "How do I get red wine out of a tablecloth?", "Salt at once, then cold water."),
)


@dataclass
class Home:
    """The app that the views show. `chats` maps the names in the table of views to ids."""

    server: AppServer
    provider: StandIn
    ada: Person
    guest: Person
    chats: dict[str, str] = field(default_factory=dict)

    def ask(self, text: str, *replies: Reply, who: Person | None = None, **to: object) -> str:
        """Send a message; wait for its answer or an open decision. Return the conversation."""
        self.provider.script(*replies)
        with (who or self.ada).tab() as socket:
            ack = socket.send(text, **to)
            while socket.next().get("kind", socket.seen[-1]["type"]) not in ("end", "waiting"):
                continue
        return str(ack["conversation"])

    def cookies(self, person: Person) -> list[Any]:
        """Return the cookies that make a browser this person's."""
        jar = person.http.cookies.jar
        return [{"name": c.name, "value": c.value or "", "url": self.server.url} for c in jar]

    def rendered(self, template: str) -> str:
        """Return the HTML of an error page, rendered by the app."""
        made = RENDER.format(template=template)
        return manage(self.server.folder, "shell", "-v", "0", "-c", made, ENV_FILE="/dev/null")


def answered(text: str, thinking: Sequence[str] = ()) -> Reply:
    return Reply(text=[text], thinking=thinking)


def calling(*calls: Call) -> Reply:
    return Reply(calls=calls, finish="tool_calls")


def turns() -> Iterator[tuple[str, str]]:
    for part in TALK.read_text().removeprefix("# ").split("\n# "):
        question, answer = part.split("\n", 1)
        yield question, answer.strip()


def furnish(server: AppServer, provider: StandIn) -> Home:
    made = MAKE.format(password=PASSWORD, prompt=PROMPT.read_text().strip())
    manage(server.folder, "shell", "-c", made, ENV_FILE="/dev/null")
    ada = Person(server)
    ada.sign_in("ada", PASSWORD)
    home = Home(server, provider, ada, Person(server))
    for agent, question, answer in SMALL_TALKS:
        home.chats[question] = home.ask(question, answered(answer), agent=agent)
    _work(home)
    _change(home, home.chats["file"], archived=True)
    _import(home)
    _plan_the_journey(home)
    server.write("UPDATE agents_agenttemplate SET model = 'demo/mirror' WHERE slug = 'demo'")
    server.write(READ)
    ((home.chats["agent"],),) = server.rows(
        "SELECT CAST(id AS text) FROM agents_agenttemplate WHERE slug = 'trips'"
    )
    return home


def _work(home: Home) -> None:
    """Make chats with tools, other agents, an open approval, a failure, thoughts and a file."""
    sum_up = (calling(SUM), answered("Together the three legs come to 5,242.50 kr."))
    home.chats["tool"] = home.ask("What do three of the legs cost us?", *sum_up, agent="trips")
    home.chats["approval"] = home.ask("Tell Grandma", calling(NOTE), agent="courier")
    delegated = (calling(TASK), answered("The Flåm railway."), answered("The Flåm railway, 20 km."))
    home.chats["delegation"] = home.ask("Slowest train in Norway?", *delegated, agent="demo")
    passed = (calling(PASS_ON), answered("Fees rose by 3% in June."))
    home.chats["network"] = home.ask("A report on harbour fees", *passed, network="support")
    home.chats["failed"] = home.ask("Is anybody there?", Reply(status=401), agent="demo")
    thought = answered("One of the two.", thinking=["Compare both lines. The first is longer."])
    home.chats["thought"] = home.ask("Which line is longer?", thought, agent="demo")
    photo = home.ada.http.post(
        "/attachments", files={"file": ("finse.png", image("PNG"))}, headers=home.ada.headers
    ).json()
    seen, files = answered("A station in the snow."), [photo["id"]]
    home.chats["file"] = home.ask("What is this?", seen, agent="demo", attachments=files)
    home.chats["guest"] = home.ask(
        "How tall is Kjosfossen?", answered("225 m."), who=home.guest, agent="demo"
    )


def _change(home: Home, conversation: str, **values: object) -> None:
    home.ada.api("PATCH", f"/conversations/{conversation}", json=values).raise_for_status()


def _import(home: Home) -> None:
    files = {"file": ("chatgpt-export.zip", export(), "application/zip")}
    job = (
        home.ada.api("POST", "/imports", files=files, data={"agent": "demo"})
        .raise_for_status()
        .json()["id"]
    )
    path = f"/imports/{job}"
    assert eventually(lambda: home.ada.api("GET", path).json()["state"] not in UNDER_WAY)
    entries = home.ada.api("GET", path).json()["entries"]
    home.chats["imported"] = entries[0]["conversation"]


def _plan_the_journey(home: Home) -> None:
    """Make the long chat about a journey: with marks, pinned in the list, and with advice."""
    to: dict[str, Any] = {"agent": "trips"}
    for question, answer in turns():
        chat = home.ask(question, answered(answer), **to)
        to = {"conversation": chat}
        if question.startswith("We'd rather"):
            _mark(home, chat)
    _change(home, chat, pinned=True, title="Norway by train")
    home.chats["journey"] = chat
    assert eventually(lambda: home.server.rows("SELECT 1 FROM history_advice"))


def _mark(home: Home, chat: str) -> None:
    messages = home.ada.api("GET", f"/conversations/{chat}/messages").json()["messages"]
    for position, kind in ((2, "pin"), (0, "exclusion")):
        number = next(m["id"] for m in messages if m["position"] == position)
        path = f"/conversations/{chat}/messages/{number}/mark"
        home.ada.api("PUT", path, json={"kind": kind}).raise_for_status()


@contextmanager
def furnished(migrated: Path, folder: Path) -> Iterator[Home]:
    with StandIn() as provider:
        surroundings = provider.environment | SETTINGS
        with running(migrated, folder, **surroundings) as server:
            yield furnish(server, provider)
