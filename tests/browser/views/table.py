"""The table of views: what each shows, how to reach it, and which of the app's addresses it covers.

A page without a row here makes tests/browser/test_views.py fail.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tests.browser.tab import Tab
from tests.browser.views import walks

Who: TypeAlias = Literal["ada", "guest", "nobody"]


@dataclass(frozen=True, slots=True)
class View:
    """A view. `path` may name one of the home's chats in braces. `routes` names the routes that the
    view requests; `status` is the expected HTTP status of the page.
    """

    name: str
    path: str
    routes: tuple[str, ...] = ()
    walk: Callable[[Tab], None] = walks.nothing
    who: Who = "ada"
    status: int = 200


JOURNEY = "/chat/{journey}?debug=true"
VIEWS = (
    View("a new chat", "/chat?agent=trips", ("home",), walks.begin, "nobody"),
    View("a new chat with agents to choose", "/chat", ("home",), walks.agents, "nobody"),
    View("an answer", "/chat/{journey}", ("chat",), walks.read),
    View("a tool's card", "/chat/{tool}", ("chat",), walks.unfold),
    View("a decision", "/chat/{approval}", ("chat",), walks.decide),
    View("a delegation", "/chat/{delegation}", ("chat", "delegation"), walks.delegation),
    View("a hand-over", "/chat/{network}", ("chat",)),
    View("a failed answer", "/chat/{failed}", ("chat",)),
    View("a thought", "/chat/{thought}", ("chat",), walks.unfold),
    View("an attached picture", "/chat/{file}", ("chat", "media"), walks.picture),
    View("an imported chat", "/chat/{imported}", ("chat",)),
    View("the message menu", "/chat/{journey}", ("chat",), walks.mark),
    View("was it sent?", "/chat/{journey}", ("chat", "verdict"), walks.verdict),
    View("a message that is edited", "/chat/{journey}", ("chat",), walks.edit),
    View("the chat's menu with its exports", "/chat/{journey}", ("chat",), walks.chat_menu),
    View("the commands", "/chat/{journey}", ("chat",), walks.commands),
    View("the inspector", JOURNEY, ("chat", "panel"), walks.panel),
    View("the inspector with zones open", JOURNEY, ("panel",), walks.zones),
    View("the map", JOURNEY, ("panel", "panel_rows"), walks.map_rows),
    View("what was sent", JOURNEY, ("raw_request", "raw_response", "raw_events"), walks.raw),
    View("what-if", JOURNEY, ("what_if",), walks.what_if),
    View("a comparison", JOURNEY, ("what_if", "replay"), walks.compare),
    View("everybody's settings", JOURNEY, ("what_if", "what_if_everybody"), walks.everybody),
    View("the inspector before a request", "/chat?agent=demo&debug=true", ("home",), walks.panel),
    View("a turn as a page", "/chat/{journey}/debug/turn/25", ("turn",), walks.styled_panel),
    View("the sidebar", "/chat?agent=demo", ("home",), walks.sidebar),
    View("a search with hits", "/chat?agent=demo", ("home", "chats"), walks.search),
    View("a search without hits", "/chat?agent=demo", ("chats",), walks.search_in_vain),
    View("the archive", "/chat?agent=demo", ("chats",), walks.archive),
    View("chats to choose", "/chat?agent=demo", ("home",), walks.choose),
    View("the account's menu", "/chat?agent=demo", ("home",), walks.account),
    View("an import's report", "/chat?agent=demo", ("imports", "imported_chats"), walks.imports),
    View("settings before a first message", "/chat?agent=trips", ("new_memory",), walks.settings),
    View("a chat's settings", "/chat/{journey}", ("memory",), walks.settings),
    View("the shortcuts", "/chat?agent=demo", ("shortcuts",), walks.shortcuts),
    View("about", "/about", ("about",)),
    View("the shortcuts as a page", "/about/docs/keys", ("keys",)),
    View("a search in the documents", "/about?q=delete", ("about",)),
    View("a document", "/about/docs/history", ("document",)),
    View("one's account", "/account", ("own_data",)),
    View("a guest's data", "/account", ("own_data",), who="guest"),
    View("nobody's data", "/account", ("own_data",), who="nobody"),
    View("all is deleted", "/account/deleted", ("all_deleted",), who="nobody"),
    View("signing in", "/login", ("login",), walks.show_password, "nobody"),
    View("a wrong password", "/login", ("login",), walks.wrong_password, "nobody"),
    View("a new password", "/account/password", ("password_change",)),
    View("a new password, set", "/account/password/changed", ("password_changed",)),
    View("a lost password", "/account/reset", ("password_reset",), who="nobody"),
    View("a link that was sent", "/account/reset/sent", ("password_reset_done",), who="nobody"),
    View("a password that was reset", "/account/reset/done", ("password_reset_complete",)),
    View("an old link", "/account/reset/MQ/x-y", ("password_reset_confirm",), who="nobody"),
    View("the overview", "/inspect/", ("overview",), walks.overview),
    View("the overview's failures", "/inspect/failures", ("failures",)),
    View("a filter that cannot be read", "/inspect/?days=abc", ("overview",), status=422),
    View("somebody else's transcript", "/inspect/{guest}", ("transcript",)),
    View("a page that is not there", "/nowhere", status=404),
    View("an agent's form", "/admin/agents/agenttemplate/{agent}/change/", (), walks.agent_form),
    View("errors in a form", "/admin/agents/agenttemplate/{agent}/change/", (), walks.bad_form),
)
