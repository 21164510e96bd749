"""The list of shortcuts has exactly the keys that the scripts react to."""

import re
from collections import defaultdict

import pytest
from django.conf import settings

from chatapp.about.keys import PLACES

SCRIPTS = settings.BASE_DIR / "static" / "js"
NAMES = {
    " ": "Space",
    "Escape": "Esc",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "ArrowLeft": "←",
    "ArrowRight": "→",
}
LISTENS = '"keydown"'
FOLLOWS = {"transcript", "zones", "needed"}  # Modules that note key presses, and do no more.
# A key that a script compares, or that names an entry in a script's table of keys.
COMPARED = re.compile(r'\bkey(?: ===| !==) "([^"]+)"')
TABLE = re.compile(r"const (?:KEYS|MOVES|moved) = \{(.*?)\n?\};", re.DOTALL)
IN_TABLE = re.compile(r'(?:^|[,\s])(?:"([^"]+)"|([A-Za-z]+))(?=: )')
BROWSERS = {"Space", "Click"}  # The browser itself reacts to these on checkboxes and buttons.
COMBINED = {"Ctrl", "Shift", "Alt"}


def listeners():
    """Return the scripts of the chat's page that react to keys, by name."""
    pages = (path for path in SCRIPTS.glob("*.js") if not path.name.startswith("admin"))
    texts = {path.stem: path.read_text() for path in pages if path.stem not in FOLLOWS}
    return {name: text for name, text in texts.items() if LISTENS in text}


def heard(text):
    """Return the keys of a script, spelt as in the list of shortcuts."""
    found = set(COMPARED.findall(text))
    for table in TABLE.findall(text):
        found |= {quoted or bare for quoted, bare in IN_TABLE.findall(table)}
    return {name_of(key) for key in found} - BROWSERS


def name_of(key):
    return NAMES.get(key) or (key.upper() if len(key) == 1 else NAMES.get(key.title(), key))


def told():
    keys = defaultdict(set)
    for place in PLACES:
        for shortcut in place.keys:
            for module in shortcut.modules.split():
                keys[module] |= {key for way in shortcut.ways for key in way}
    return {module: found - COMBINED - BROWSERS for module, found in keys.items()}


def test_esc_has_few_rows():
    rows = [str(row.does) for place in PLACES for row in place.keys if ("Esc",) in row.ways]

    assert rows == [
        "Close a menu or dialog, or the inspector if you are in it; else end editing or selecting; "
        "else stop the answer",
        "Back to the message field",
    ]


def test_every_script_that_listens_is_in_the_sheet():
    assert told().keys() == listeners().keys()


@pytest.mark.parametrize("module", sorted(told()))
def test_the_sheet_names_the_keys_of_a_script(module):
    assert told()[module] == heard(listeners()[module])
