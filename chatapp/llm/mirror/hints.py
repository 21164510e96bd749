"""What the offline model says one can try, with the tools at hand or without any."""

from collections.abc import Mapping, Sequence

from chatapp.llm.mirror import recall
from chatapp.llm.mirror.tools import in_reach

FACTS = "- **Facts.** Say `My name is Ada`, chat on, then ask `What is my name?`"
OF_TOOLS: Mapping[str, str] = {
    "calculator": "- **Sums.** Ask `What is 12 * (3 + 4)?`",
    "current_time": "- **Time.** Ask `What time is it in Tokyo?`",
    "send_note": "- **Notes.** Say `Send a note to Ada: the harbour is open`",
    "report": "- **Reports.** Ask for `a report on harbour fees`",
    recall.TOOL: (
        "- **Recall.** Tell me where a key is, chat on for longer than I can see, then ask"
        " `What did I say about the key?`"
    ),
}
LAYOUT = "- **Layout.** Ask to `show me code`, for `a table`, or for `a long answer`."
PACE = "- **Pace.** Add the word `slowly`, and press Stop or reload in the middle."


def hints(tools: Sequence[str]) -> str:
    """A list of them: nothing for a tool that is out of the reach of the agent."""
    useful = (hint for tool, hint in OF_TOOLS.items() if in_reach(tool, tools))
    return "\n".join([FACTS, *useful, LAYOUT, PACE])
