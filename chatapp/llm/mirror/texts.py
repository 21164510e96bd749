"""The offline model's fixed texts: an introduction with hints, small talk, code, a long answer."""

from collections.abc import Sequence

INTRODUCTION = """\
Hello! I'm **Mirror**, the offline demo model that comes with Vitrine. I run on this computer and
understand very little, but I'm good at showing what leaving out messages does to a chat.

{hints}

To use a real model, add a provider under Administration, or put a model's name and key in `.env`,
for example `DEFAULT_MODEL=openai/gpt-4o` and `OPENAI_API_KEY=your-key`, and restart."""
HINTS = {  # Hints, each by the name of the tool that the mirror needs for it.
    "": "- **Facts.** Say `My name is Ada`, keep chatting, then ask `What is my name?`",
    "calculator": "- **Sums.** Ask `What is 12 * (3 + 4)?`",
    "current_time": "- **Time.** Ask `What time is it in Asia/Tokyo?`",
    "send_note": "- **Notes.** Say `Send a note to Ada: the harbour is open`",
    "report": "- **Reports.** Ask for `a report on harbour fees`",
    "recall": "- **Recall.** Say `Remember that the key is in the shed`, and later "
    "`What did I say about the key?`",
}
LAYOUT = """\
- **Layout.** Ask to `show me code`, for `a table`, or for `a long answer`.
- **Thinking.** Add `think aloud`, and I'll think before I answer.
- **Pictures and files.** Attach one, and I'll tell its type and size, or how it begins.
- **Pace.** Add the word `slowly`, and press Stop or reload in the middle."""
ECHO = """\
You wrote: {asked}

I'm the offline demo model, so I can only mirror that. Say `help` to see what I understand and how
to set up a real one."""
WELCOME = "You're welcome."
WELL = "I'm well, thank you: an offline model has few worries. What can I do for you?"
GLAD = "Glad to hear it. What else can I do for you?"
GOODBYE = "Goodbye. Every word of this chat is kept, so come back whenever you like."
THOUGHTS = (
    "I am asked: {asked}\n\n"
    "I can see {messages} of the chat, and {thoughts}. A real model would now weigh what "
    "it knows against what it is asked, and perhaps plan which tools to call.\n\n"
    "I only compare words, so this is all there is to think about. Now I answer."
)
NOTED = "Noted. I'll only know this while that message is sent to me."
NO_NOTES = "None that I can see. Ask me to `send a note to Ada: the harbour is open again`."
NOTE_FORM = """\
I'd send that, but I only understand notes with a colon before their text. Write, for example,
`Send a note to Ada: the harbour is open`."""
REPORT = """\
Here is the report on {topic}: {count} lines, all of them made up.

It begins like this:

```text
{lines}
```

Open `report` above this answer to read the rest. A real model would now say in a few words what it
contains."""
BEGINNING = 3  # The lines of a report that its answer shows.
UNSEEN = """\
I can't find that in what I was sent. Either nobody said it, or it was left out: **Inspector**, at
the top of the page, shows what I saw, and why."""
CODE = '''\
This is the heart of a window over a chat, in Python:

```python
def last_turns(messages: list[Message], length: int) -> list[Message]:
    """Keep the latest `length` user messages and everything after the first of them."""
    starts = [i for i, message in enumerate(messages) if message.role == "user"]
    return messages[starts[-length] :] if len(starts) > length else messages
```'''
LONG = """\
## What you are looking at

Vitrine keeps every word of this chat. The model sees only a part of it: a window, computed
for each request. Most chat programs show neither. This one shows both.

Three policies decide how much of the transcript the model sees:

1. **all** sends everything, until the model's own limit is reached.
2. **lastN** sends the newest turns. A turn is your message and everything up to the next one.
3. **none** sends your newest message alone.

A shorter window costs less and answers faster. It also forgets: what lies before its start does
not exist for the model, however plainly you can read it on this page.

> A choice that leaves no record cannot be argued with. Here every choice leaves one.

Open **Inspector**, at the top of the page, and ask me something: the panel marks each message with
a letter, **K** for kept, **T** for trimmed, and a few more. Then lower the length and ask again."""


def report(topic: str, count: str, lines: Sequence[str]) -> str:
    """Present a report with its first lines."""
    return REPORT.format(topic=topic, count=count, lines="\n".join(lines[:BEGINNING]))


def introduction(tools: Sequence[str]) -> str:
    """Introduce the model, with hints at what it can do with these tools."""
    useful = [hint for tool, hint in HINTS.items() if tool in {"", *tools}]
    return INTRODUCTION.format(hints="\n".join([*useful, LAYOUT]))
