"""Images cost what each provider's published rule says."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.core.transcript.parts import File, Image
from history.tokens import count_text
from history.tokens.images import (
    RULES,
    STORED,
    image_price,
    image_rule,
    image_tokens,
    own_tokens,
)
from history.tokens.parts import counted_file, counted_image


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        pytest.param("openai/gpt-4o", (1_024, 1_024), 765, id="four tiles: OpenAI's example"),
        pytest.param("openai/gpt-4o", (2_048, 4_096), 1_105, id="six tiles: OpenAI's example"),
        pytest.param("openai/gpt-4o", (100, 100), 255, id="a small image is one tile"),
        pytest.param("openai/gpt-5", (1_024, 1_024), 630, id="gpt-5 has cheaper tiles"),
        pytest.param("work/gpt-4o-mini", (512, 512), 8_500, id="4o-mini has dear ones"),
        pytest.param("openai/gpt-4.1-mini", (1_024, 1_024), 1_659, id="1,024 patches x 1.62"),
        pytest.param("openai/o4-mini", (1_800, 2_400), 2_498, id="1,452 patches: the example"),
        pytest.param("openai/gpt-5.1-codex-mini", (1_024, 1_024), 1_659, id="a small codex"),
        pytest.param("openai/gpt-5.2", (1_024, 1_024), 1_229, id="gpt-5.2: patches x 1.2"),
        pytest.param("openai/gpt-5.2", (1_800, 2_400), 1_743, id="gpt-5.2: at most 1,536"),
        pytest.param("openai/gpt-5.4-mini", (1_024, 1_024), 1_659, id="gpt-5.4-mini"),
        pytest.param("openai/gpt-5.4", (2_560, 1_440), 2_765, id="gpt-5.4: 2,048 pixels"),
        pytest.param("openai/gpt-5.4", (2_000, 2_000), 3_000, id="gpt-5.4: at most 2,500"),
        pytest.param("openai/gpt-5.5", (4_032, 3_024), 11_868, id="gpt-5.5: as measured"),
        pytest.param("openai/gpt-6-astra", (4_032, 3_024), 14_364, id="gpt-6: as measured"),
        pytest.param("openai/gpt-5.6-sol", (3_840, 2_160), 9_792, id="gpt-5.6: never scaled"),
        pytest.param("anthropic/claude-sonnet-4-5", (200, 200), 64, id="Claude: 8 x 8 patches"),
        pytest.param("anthropic/claude-sonnet-4-5", (1_092, 1_092), 1_521, id="not scaled"),
        pytest.param("anthropic/claude-haiku-4-5", (1_920, 1_080), 1_560, id="at most 1,568"),
        pytest.param("anthropic/claude-sonnet-4-6", (2_000, 1_500), 1_564, id="its example"),
        pytest.param("anthropic/claude-sonnet-4-6", (1_075, 1_520), 1_551, id="a page of A4"),
        pytest.param("anthropic/claude-opus-4-7", (1_920, 1_080), 2_691, id="newer: not scaled"),
        pytest.param("anthropic/claude-sonnet-5-5", (2_000, 1_500), 3_888, id="newer: its example"),
        pytest.param("anthropic/claude-opus-5", (3_840, 2_160), 4_784, id="newer: at most 4,784"),
        pytest.param("gemini/gemini-2.5-pro", (384, 384), 258, id="Gemini: a small image"),
        pytest.param("gemini/gemini-2.5-pro", (960, 540), 1_548, id="six tiles: the example"),
        pytest.param("gemini/gemini-3-pro", (4_000, 4_000), 1_120, id="Gemini 3: fixed"),
        pytest.param("gemini/gemini-4-argon", (100, 100), 1_120, id="Gemini 4: fixed"),
        pytest.param("gemini/gemini-flash-latest", (100, 100), 1_120, id="the latest Gemini"),
        pytest.param("ollama/gemma3:27b", (4_000, 4_000), 256, id="Gemma 3: fixed"),
        pytest.param("gemini/gemma-4-31b-it", (100, 100), 1_120, id="Gemma 4: fixed"),
        pytest.param("ollama/llava", (1_000, 1_000), 1_296, id="unknown: as Claude"),
        pytest.param("openai/gpt-4o", (0, 0), 765, id="a size that is not known"),
    ],
)
def test_the_published_figures(model, size, tokens):
    assert image_tokens(*size, image_rule(model)) == tokens


@given(st.sampled_from([rule for _, rule in RULES]), st.integers(1, 9_000), st.integers(1, 9_000))
def test_every_image_has_a_price_and_turning_it_changes_little(rule, width, height):
    tokens, turned = image_tokens(width, height, rule), image_tokens(height, width, rule)

    assert 0 < tokens < 50_000
    assert tokens == pytest.approx(turned, rel=0.05, abs=60)


def test_the_factor_gives_the_price_back():
    image = Image("d", "s", "image/png", width=1_092, height=1_092)
    rule = image_rule("anthropic/claude-sonnet-4-5")

    ours = image_price(rule, 1.37, image)
    assert round(ours * 1.37) == pytest.approx(image_tokens(1_092, 1_092, rule), abs=1)


def test_what_is_stored_is_counted_once():
    image = counted_image(Image("d", "s", "image/png", width=512, height=512))
    file = counted_file(File("d", "s", "text/plain", "a.txt", text="some lines"))

    assert image.tokens == STORED.base + STORED.tile
    assert file.tokens == count_text('<file name="a.txt">\nsome lines\n</file>')
    assert counted_file(File("d", "s", "audio/wav")).tokens == 0


@pytest.mark.parametrize(
    ("model", "full", "low"),
    [
        ("openai/gpt-4o", 765, 85),
        ("openai/gpt-5", 630, 70),
        ("openai/gpt-4.1-mini", 1_659, 415),
        ("anthropic/claude-sonnet-4-5", 1_369, 1_369),
        ("gemini/gemini-2.5-pro", 1_032, 1_032),
        ("gemini/gemini-3-pro-preview", 1_120, 280),
    ],
)
def test_a_low_detail_counts_by_the_models_rule_for_it(model, full, low):
    image = Image("d", "s", "image/png", width=1_024, height=1_024)
    rule = image_rule(model)

    assert own_tokens(image, rule) == full
    assert own_tokens(replace(image, detail="low"), rule) == low
