import pytest

from history.services.answers.chats.titles import shortened, title_of


@pytest.mark.parametrize(
    ("text", "title"),
    [
        pytest.param("  Hello  \nmore", "Hello", id="the first line"),
        pytest.param(
            "word " * 30, "word word word word word word word word word word word word…", id="cut"
        ),
        pytest.param("x" * 80, "x" * 60 + "…", id="one long word"),
        pytest.param("**Hi** `code`", "Hi code", id="emphasis and code"),
        pytest.param("# Plan\nmore", "Plan", id="a heading"),
        pytest.param("- [milk](http://shop.example) and ~~eggs~~", "milk and eggs", id="a list"),
        pytest.param("> ![a cat](cat.png)", "a cat", id="a picture that is quoted"),
        pytest.param("```python\nprint(1)\n```", "print(1)", id="only code"),
        pytest.param("|name|age|\n|-|-|\n|Ada|36|", "name", id="a table"),
        pytest.param("snake_case and 2 * 3 * 4 < 25", "snake_case and 2 * 3 * 4 < 25", id="none"),
        pytest.param("<b>hi</b>", "<b>hi</b>", id="tags"),
        pytest.param("***", "***", id="no words"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_titles(text, title):
    assert title_of(text) == title


def test_a_files_name_is_no_markdown():
    assert shortened("__init__.py") == "__init__.py"
