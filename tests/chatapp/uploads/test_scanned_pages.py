"""A model that takes no images still gets the text of a PDF, even if some pages are scans."""

import asyncio
from io import BytesIO

import pytest
from pypdf import PdfReader, PdfWriter

from agents.providers.directory import Directory, hold
from agents.providers.models import KnownModel
from chatapp.uploads.supplying import supply
from history.models import ContextPlan, Message
from history.services.access import Actor
from history.services.errors import Refused
from history.services.explain.explanation import explanation_of
from tests.attached import attach_picture
from tests.chatapp.answered import answered
from tests.chatapp.uploads.hostile_pdfs import scanned, with_text
from tests.factories import make_agent
from tests.provider import LITELLM_WARNS

pytestmark = [pytest.mark.django_db(transaction=True), *LITELLM_WARNS]
WORDS = "Sales rose in May."


def joined(*files):
    """Join several PDFs into one."""
    writer, made = PdfWriter(), BytesIO()
    for data in files:
        writer.append(BytesIO(data))
    writer.write(made)
    return made.getvalue()


@pytest.fixture
def blind(provider):
    hold(Directory(models={"openai/fake": KnownModel(name="openai/fake", images=False)}))
    make_agent(model="openai/fake")
    return provider


def attach(user, data):
    return supply(Actor(user), "ada", "report.pdf", data).pk


def test_the_pages_with_text_are_sent_and_the_others_are_named(blind, admin_user):
    report = attach(admin_user, joined(with_text(WORDS), scanned(1)))
    asyncio.run(answered(admin_user, "What of May?", report))

    sent = repr(blind.requests[-1]["messages"])
    plan = explanation_of(ContextPlan.objects.get(), 1)
    assert "image_url" not in sent
    read = (WORDS, "[Page 2, scanned: only in its picture]", "[Image omitted: report.pdf, page 2]")
    assert [text for text in read if text not in sent] == []
    assert "1 image was left out" in plan.headline


def numbered():
    """Make a scanned page with its page number as text."""
    writer, made = PdfWriter(clone_from=BytesIO(scanned(1))), BytesIO()
    writer.pages[0].merge_page(PdfReader(BytesIO(with_text("7"))).pages[0])
    writer.write(made)
    return made.getvalue()


UNREADABLE = {
    "only scanned pages": scanned(2),
    "a page number on a scanned page": numbered(),
    "a picture beside it": joined(with_text(WORDS), scanned(1)),
}


@pytest.mark.parametrize("more", UNREADABLE)
def test_what_cannot_be_read_at_all_is_refused(blind, admin_user, more):
    beside = more == "a picture beside it"
    files = [attach(admin_user, UNREADABLE[more])]
    files += [attach_picture(Actor(admin_user)).pk] if beside else []

    with pytest.raises(Refused, match="openai/fake doesn't take images"):
        asyncio.run(answered(admin_user, "What of May?", *files))
    assert not Message.objects.exists()
