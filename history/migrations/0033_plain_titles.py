"""Take the Markdown out of the titles that were made from a first message. Those that somebody gave
a chat stay as they are.
"""

from django.db import migrations

from history.services.answers.titles import title_of

MARKDOWN = frozenset("*_`[]#>~|\\!<&-+.)")
LENGTH = 60


def make_plain(apps, schema_editor):
    conversations = apps.get_model("history", "Conversation").objects
    messages = apps.get_model("history", "Message").objects
    for pk, title in list(conversations.values_list("pk", "title")):
        if MARKDOWN.isdisjoint(title):
            continue
        said = messages.filter(conversation=pk, role="user").order_by("pk").values_list("text", flat=True)
        text = said.first() or ""
        if title == made_before(text) and title != title_of(text):
            conversations.filter(pk=pk).update(title=title_of(text))


def made_before(text):
    """Return the title that earlier versions made."""
    line = next(iter(text.strip().splitlines()), "").strip()
    if len(line) <= LENGTH:
        return line
    return line[:LENGTH].rsplit(" ", 1)[0].rstrip(" ,;:.") + "\N{HORIZONTAL ELLIPSIS}"


class Migration(migrations.Migration):
    dependencies = [("history", "0032_shelves")]
    operations = [migrations.RunPython(make_plain, migrations.RunPython.noop)]
