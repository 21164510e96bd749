"""Items of task lists begin with a box instead of `[ ]` or `[x]`."""

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}
BEFORE = ["list_item_open", "paragraph_open"]


def install(md: MarkdownIt) -> None:
    md.core.ruler.after("inline", "task_lists", task_lists)


def task_lists(state: StateCore) -> None:
    for place, token in enumerate(state.tokens):
        if token.children and [each.type for each in state.tokens[place - 2 : place]] == BEFORE:
            text = token.children[0]
            if text.type == "text" and (box := BOXES.get(text.content[:4])):
                text.content = box + text.content[4:]
