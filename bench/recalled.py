"""Determine which facts the tool `recall` finds: run the real tool in an in-memory database."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import django
from django.conf import settings
from django.core.management import call_command

from bench.workloads import Question, Workload
from chatapp import env
from chatapp.databases.connection_settings import SQLITE

env.use_settings("chatapp.settings")
settings.DATABASES["default"] = {**SQLITE, "NAME": ":memory:"}  # Never use a real database.
django.setup()

from agents.tools import ToolContext, call  # noqa: E402 -- these need the line above
from bench.conversations import agent_with, new_conversation  # noqa: E402
from history.core.transcript.messages import Message, Role  # noqa: E402
from history.models import Branch  # noqa: E402
from history.services.path.appending import (  # noqa: E402
    NewMessage,
    append,
    assistant_message,
    result_message,
    user_message,
)
from history.services.search import recall  # noqa: E402
from history.tokens import count_message  # noqa: E402


@dataclass(frozen=True, slots=True)
class RecallScore:
    """The questions whose fact a single search finds, and the average tokens of its result."""

    questions: frozenset[Question]
    tokens: int


def recalled(workload: Workload) -> RecallScore:
    call_command("migrate", verbosity=0)
    branch = _stored(workload)
    answers = {question: _answer(branch, question) for question in workload.questions}
    tokens = sum(count_message("tool", answer) for answer in answers.values())
    found = frozenset(question for question, answer in answers.items() if question.fact in answer)
    return RecallScore(found, round(tokens / len(answers)))


def _answer(branch: Branch, question: Question) -> str:
    context = ToolContext(search=partial(recall, branch, question.turn))
    return call("recall", json.dumps({"query": question.sought}), context).text


def _stored(workload: Workload) -> Branch:
    branch = new_conversation(agent_with(workload.name)).branch
    assert branch
    append(branch, list(_drafts(workload)))
    return branch


def _drafts(workload: Workload) -> Iterator[NewMessage]:
    calls = {call.id: call for message in workload.messages for call in message.tool_calls}
    for message in workload.messages:
        if message.role is Role.TOOL:
            yield result_message(calls[message.tool_call_id or ""], message.text, failed=False)
        else:
            yield _said(message)


def _said(message: Message) -> NewMessage:
    if message.role is Role.USER:
        return user_message(message.text)
    return assistant_message(message.text, message.tool_calls)
