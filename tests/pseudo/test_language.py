"""The pseudo-language circles the words that people read, and keeps what programs read."""

import subprocess
import sys

import pytest

from tests.pseudo.language import circled
from tests.servers import ROOT, surroundings

TEXTS = {
    "words": ("Stop (Esc)", "Ⓢⓣⓞⓟ (Ⓔⓢⓒ)"),
    "a named placeholder": ("{agent} is busy.", "{agent} ⓘⓢ ⓑⓤⓢⓨ."),
    "a formatted placeholder": ("{n:,} left", "{n:,} ⓛⓔⓕⓣ"),
    "per cent": ("%(n)s of %d%%", "%(n)s ⓞⓕ %d%%"),
    "per cent alone": ("50% of it", "50% ⓞⓕ ⓘⓣ"),
    "a tag": ('Please <a href="/login">sign in</a>', 'Ⓟⓛⓔⓐⓢⓔ <a href="/login">ⓢⓘⓖⓝ ⓘⓝ</a>'),
    "an entity": ("you &amp; me", "ⓨⓞⓤ &amp; ⓜⓔ"),
    "nothing": ("", ""),
}
EACH_WAY = """
import django
django.setup()
from django.template import engines
from django.utils.translation import gettext, gettext_lazy, ngettext, npgettext, pgettext
lazy = gettext_lazy("{n} left")
print(gettext("one"), pgettext("day", "two"), ngettext("three", "threes", 2),
      npgettext("day", "four", "fours", 1), lazy.format(n="five"), str(gettext_lazy("six")))
print(engines["django"].from_string(
    '{% translate "seven" %} {% blocktranslate with a="eight" %}{{ a }} nine{% endblocktranslate %}'
).render())
"""


@pytest.mark.parametrize(("text", "circles"), TEXTS.values(), ids=TEXTS)
def test_letters_are_circled_and_nothing_else(text, circles):
    assert circled(text) == circles


def test_every_way_to_translate_a_text_uses_the_language(tmp_path):
    environment = surroundings(tmp_path, {"DJANGO_SETTINGS_MODULE": "tests.pseudo.settings"})
    done = subprocess.run(
        [sys.executable, "-c", EACH_WAY],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines() == [
        "ⓞⓝⓔ ⓣⓦⓞ ⓣⓗⓡⓔⓔⓢ ⓕⓞⓤⓡ five ⓛⓔⓕⓣ ⓢⓘⓧ",
        "ⓢⓔⓥⓔⓝ eight ⓝⓘⓝⓔ",
    ]
