"""The set pieces of the offline model: its introduction, code, and a long answer."""

INTRODUCTION = """\
Hello! I am **Mirror**, the offline demo model that comes with Vitrine. I run on this computer and
understand very little: I answer by describing what I was sent. That makes me good at one thing,
showing what trimming the history does to a conversation.

{hints}

To talk to a real model, name it and its key in `.env`, then start again:

```sh
OPENAI_API_KEY=your-key
DEFAULT_MODEL=openai/gpt-4o
```
"""

CODE = '''\
Here is the heart of a window over a conversation, in Python:

```python
def last_turns(messages: list[Message], length: int) -> list[Message]:
    """Keep the newest `length` user messages and all that follows the oldest of them."""
    starts = [i for i, message in enumerate(messages) if message.role == "user"]
    if len(starts) <= length:
        return messages
    return messages[starts[-length]:]
```

Nothing is deleted: the list that comes back is a view of the transcript, made anew each time.
'''

LONG = """\
## What you are looking at

Every word of this conversation is kept. What a model is *sent*, though, is only a part of it: a
window, computed anew for every request. The two are easily confused, and most chat programs show
neither. This one shows both.

## The transcript

The transcript is a list that only grows. A message gets a place in it and keeps that place for
ever. Editing one starts a branch; regenerating an answer does too. Nothing is overwritten, so any
past request can be looked at again.

## The window

Three policies decide how much of the transcript is sent:

1. **all** sends everything, until the model's own limit is reached.
2. **lastN** sends the newest turns. A turn is your message and all that follows it.
3. **none** sends your newest message alone.

A shorter window costs less and answers faster. It also forgets, and that is the price: what lies
before its start does not exist for the model, however plainly you can read it on this page.

## Whose word counts

A setting may come from the environment, from the address of the page, from the conversation, from
the agent, or from the site. The strongest one wins, and the others are listed beside it with the
reason why they lost. An administrator can lock a setting in the environment; then the address
cannot change it.

> A choice that leaves no record cannot be argued with. Here every choice leaves one.

## Tools

Some answers need more than words. A model may ask for a calculation or for the time; the request
and its result are messages too, and they travel together. To send one without the other would make
a provider refuse the whole request, so a window never parts them.

## What to try next

Add `&debug=true` to the address and ask me something. The panel shows each message with a letter:
**K** for kept, **T** for trimmed, and a few more. Then lower the length and ask again. The part of
this conversation that I can describe gets smaller, and the page says so.

That was the long answer. It was written by hand, and I am only reciting it.
"""
