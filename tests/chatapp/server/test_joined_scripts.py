"""The scripts of a chat's page are joined into few files; developers get the source files."""

from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from chatapp.server.joined.finder import SOURCES
from chatapp.server.joined.joining import closure, files, joined
from chatapp.server.joined.modules import Unjoinable, read_all


@pytest.fixture
def folder(tmp_path):
    """Return a function that writes scripts into a folder, always with `main` and `providers`."""

    def written(**texts):
        for name, text in {"main": "", "providers": "", **texts}.items():
            (tmp_path / f"{name}.js").write_text(text)
        return tmp_path

    return written


def texts_of(path):
    """Return the text of every file that Django's finders list for a path."""
    found = [finder.list(None) for finder in finders.get_finders()]
    return [
        Path(storage.path(name)).read_text()
        for entries in found
        for name, storage in entries
        if name == path
    ]


def test_each_joined_script_is_found_once_in_place_of_its_source():
    texts = joined(SOURCES)

    assert {"main", "inspector", "searching", "providers"} <= texts.keys()
    for name, text in texts.items():
        assert texts_of(f"js/{name}.js") == [text]
        assert Path(finders.find(f"js/{name}.js")).read_text() == text
    for name in ("events", "overview", "admin"):
        assert finders.find(f"js/{name}.js") == str(SOURCES / f"{name}.js")


def test_while_developing_the_sources_are_served(settings):
    settings.DEBUG = True

    for name in joined(SOURCES):
        assert finders.find(f"js/{name}.js") == str(SOURCES / f"{name}.js")
        assert texts_of(f"js/{name}.js") == [(SOURCES / f"{name}.js").read_text()]


def test_no_other_page_loads_what_expects_the_first_file():
    modules = read_all(SOURCES)
    page = closure(modules, "main", ())
    later = files(modules, page)
    ours = {*page, *(name for members in later.values() for name in members)}

    for name in modules.keys() - ours:
        needed = {*closure(modules, name, ()), *modules[name].calls}
        assert not needed & {"main", *later}, name


def test_a_module_runs_once_whoever_needs_it(folder):
    scripts = folder(
        main='import "./a.js";\nimport("./late.js");\nimport("./later.js");\n',
        a="export const a = 1;\n",
        late='import { a } from "./a.js";\nimport { b } from "./both.js";\nimport "./own.js";\n',
        later='import { b } from "./both.js";\n',
        both='import { a } from "./a.js";\nexport const b = a;\n',
        own='document.title = "own";\n',
    )

    texts = joined(scripts)

    assert texts.keys() == {"main", "providers", "late", "later", "both"}
    for statement, name in {
        "export const a": None,
        "const a = 1": "main",
        "export const b = a": "both",
        'document.title = "own"': "late",
    }.items():
        assert [found for found in texts if statement in texts[found]] == ([name] if name else [])


WHOLE = """\
/* A first
 * comment. */
export const a = 2 /* half */
  * 3; // three
  // A second one.
export const b = "/*"; /** of a line that has code */
  /**
   * A third. */
export const c = "*/";
"""
BARE = """\
export const a = 2 /* half */
  * 3; // three
export const b = "/*"; /** of a line that has code */
export const c = "*/";
"""


def test_comments_on_lines_of_their_own_are_left_out(folder):
    assert joined(folder(main=WHOLE))["main"] == joined(folder(main=BARE))["main"]


def test_what_looks_like_a_comment_in_a_long_literal_stays(folder):
    literal = "const text = `\n// Not a comment.\n`;\n"

    assert literal in joined(folder(main=literal))["main"]


REFUSED = {
    "a name that may change": ({"main": "export let count = 0;\n"}, "export let count = 0;"),
    "a default": ({"main": "export default 1;\n"}, "export default 1;"),
    "passing on": ({"main": 'export { a } from "./a.js";\n', "a": ""}, "export { a } from"),
    "names taken apart": ({"main": "export const { a } = b;\n"}, "export const { a } = b;"),
    "several lines": ({"main": 'import {\n  a,\n} from "./a.js";\n', "a": ""}, '"import {"'),
    "importing a default": ({"main": 'import a from "./a.js";\n', "a": ""}, "import a from"),
    "a second name": (
        {"main": 'import { b } from "./a.js";\n', "a": "export const a = 1, b = 2;\n"},
        "imports b, which static/js/a.js does not export",
    ),
    "no such script": ({"main": 'import "./gone.js";\n'}, "gone.js, which is not there"),
    "none later": ({"main": 'import("./gone.js");\n'}, "gone.js, which is not there"),
    "a circle": ({"main": 'import "./a.js";\n', "a": 'import "./main.js";\n'}, "main → a → main"),
    "at once and later": (
        {"main": 'import "./a.js";\nimport("./a.js");\n', "a": ""},
        "a.js is part of main.js",
    ),
}


@pytest.mark.parametrize(("texts", "said"), REFUSED.values(), ids=REFUSED)
def test_what_would_mean_something_else_is_refused(folder, texts, said):
    with pytest.raises(Unjoinable) as refused:
        joined(folder(**texts))

    assert said in str(refused.value)
