"""`manage.py context`: show what was sent, mark messages, and summarise, in a terminal."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError
from ninja.responses import NinjaJSONEncoder

from chatapp.inspector.raw.wire import why_unrecorded, wires_for
from chatapp.inspector.unsent import upcoming
from chatapp.inspector.zone import ShownRecord
from chatapp.management import advising, changing, projecting, trying
from history.core.projection.invariants import InvariantBroken
from history.core.words.errors import SettingError
from history.models import ContextPlan, Conversation
from history.records import plan_record
from history.schemas import PlanOut
from history.services.access import Actor
from history.services.errors import NotFound
from history.services.explain.explanation import explanation_of
from history.services.explain.lines import lines_of, title, wire_lines
from history.services.explain.lookup import last_turn, newest_query, shown_plan
from history.services.explain.raw.wire import OPERATOR
from history.services.whatif.trying import present, recorded
from history.wording.faults import word_error

NO_TABLES = (
    "Check that DATA_DIR or DATABASE_URL is the running app's. `make run` or `manage.py migrate` "
    "creates the tables."
)


class Command(BaseCommand):
    help = "Show what the model saw of a conversation and why; pin, exclude and summarise messages."

    def add_arguments(self, parser: ArgumentParser) -> None:
        actions = parser.add_subparsers(dest="action", required=True)
        explain = actions.add_parser("explain", help="show the context plan of a turn")
        explain.add_argument("conversation", nargs="?", help="its id, as in /chat/<id>")
        explain.add_argument("--turn", type=int, help="which turn; default: the latest")
        trying.add_options(explain)
        advising.add_options(explain)
        explain.add_argument(
            "--json", action="store_true", help="print the record as JSON, as in the API"
        )
        changing.add_parsers(actions)
        projecting.add_parser(actions)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self._run(options)
        except (OperationalError, ProgrammingError) as error:
            raise CommandError(f"{error}. {NO_TABLES}") from error

    def _run(self, options: dict[str, Any]) -> None:
        if options["action"] == "project":
            self._print(projecting.run(options))
            return
        advising.refuse_both(options)
        if agent := options.get("agent"):
            self._print(advising.of_agent(agent))
            return
        conversation = _conversation(options["conversation"])
        if options["action"] in changing.HELP:
            self.stdout.write(changing.run(conversation, options))
            return
        try:
            self._explain(conversation, options)
        except SettingError as error:
            raise CommandError(f"--set {word_error(error)}") from error
        except InvariantBroken as error:
            what = f"conversation {options['conversation']}"
            raise CommandError(trying.our_fault(what, error)) from error

    def _explain(self, conversation: Conversation, options: dict[str, Any]) -> None:
        trying.refuse_idle(options)
        variant, turn, as_json = trying.variant_of(options), options["turn"], options["json"]
        last = last_turn(conversation)
        if options["replay"]:
            self._print(trying.replay(conversation, variant, options["turns"], as_json=as_json))
        elif variant:
            request = present(conversation) if turn is None else recorded(_plan(conversation, turn))
            turns = (last if turn is None else turn, last)
            self._print(trying.try_one(request, variant, turns, as_json=as_json))
        else:
            self._record(_plan(conversation, turn), last, as_json=as_json)

    def _record(self, plan: ContextPlan, last: int, *, as_json: bool) -> None:
        wires = wires_for(plan, OPERATOR)
        if as_json:
            shape = PlanOut(**plan_record(plan, wires))
            self.stdout.write(json.dumps(shape.model_dump(), cls=NinjaJSONEncoder, indent=2))
        else:
            self._print(lines_of(explanation_of(plan, last)))
            self._print(wire_lines(wires, why_unrecorded(plan.parameters["model"])))
            self._print(_next(plan))
            self._print(advising.of_conversation(plan.generation.conversation))

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.stdout.write(line)


def _conversation(name: str) -> Conversation:
    try:
        return Conversation.objects.select_related("agent", "branch", "owner").get(pk=name)
    except (Conversation.DoesNotExist, ValueError, ValidationError) as error:
        raise CommandError(f"No conversation has the id {name}.") from error


def _next(plan: ContextPlan) -> Iterator[str]:
    """Yield what the next message would change, if it is sent from the newest one's address."""
    chat = plan.generation.conversation
    owner = Actor(chat.owner, chat.visitor)
    if changes := upcoming(ShownRecord(owner, plan, newest_query(chat))):
        yield from title("next message")
        yield from (f"  {change}" for change in changes)


def _plan(conversation: Conversation, turn: int | None) -> ContextPlan:
    if turn is not None and not 0 <= turn < 2**31:
        raise CommandError(f"--turn {turn}: unknown turn.")
    try:
        return shown_plan(conversation, turn)
    except NotFound as error:
        of_turn = "" if turn is None else f" for turn {turn}"
        raise CommandError(
            f"Conversation {conversation.pk} has no stored plan{of_turn} on its open branch. "
            "Use --set NAME=VALUE to plan what would be sent now."
        ) from error
