"""The calculator gives the results that people expect, and accepts only arithmetic."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.tools.calculator import calculate
from agents.tools.tool import ToolError


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("12 * (3+4)", "84"),
        ("0.1 + 0.2", "0.3"),
        ("1/3", "0.3333333333333333333333333333"),
        ("1/3*3", "1"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("7 % -3", "-2"),
        ("2^10", "1024"),
        ("2 \u00d7 3 \u00f7 4", "1.5"),
        ("-2**2", "-4"),
        ("2**-2", "0.25"),
        ("2**0.5", "1.414213562373095048801688724"),
        ("2**200", "1606938044258990275541962092341162602522202993782792835301376"),
        ("sqrt(16) + abs(-2)", "6"),
        ("sqrt(2)**2", "2"),
        ("round(2.567, 2)", "2.57"),
        ("round(2.5)", "3"),
        ("round(1234, -2)", "1200"),
        ("max(1, 3, 2) - min(4, 5)", "-1"),
        ("1_000 + 0x10", "1016"),
        ("0.12345678901234567890 + 0", "0.1234567890123456789"),
        ("1e60 % 7", "1"),
        ("1e-30", "1E-30"),
        ("0 * -1", "0"),
    ],
)
def test_an_expression_has_a_value(expression, value):
    assert calculate(expression) == value


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("1/0", "division by zero"),
        ("7 // 0", "division by zero"),
        ("7 % 0", "division by zero"),
        ("sqrt(-1)", "can't be computed"),
        ("9**9**9", "exponents go up to 1,000"),
        ("9**-2000", "exponents go up to 1,000"),
        ("1e999999 * 10", "too large"),
        ("1e99999999", "too large"),
        ("round(1, 99)", "at most 28 digits"),
        ("min(4)", "min does not take 1 numbers"),
        ("abs(1, 2)", "abs does not take 2 numbers"),
        ("min()", "not arithmetic"),
        ("max(1, key=2)", "not arithmetic"),
        ("", "not an arithmetic expression"),
        ("1 +", "not an arithmetic expression"),
        ("\x00", "not an arithmetic expression"),
        ("(" * 400, "not an arithmetic expression"),
        ("1" * 1001, "longer than 1,000 characters"),
        ("x + 1", "'x' is not arithmetic"),
        ("True + 1", "'True' is not arithmetic"),
        ("1j", "'1j' is not arithmetic"),
        ("'a' * 9", "not arithmetic"),
        ("1 if 2 else 3", "not arithmetic"),
        ("(1).real", "not arithmetic"),
        ("__import__('os')", "not arithmetic"),
        ("(lambda: 1)()", "not arithmetic"),
    ],
)
def test_anything_else_is_refused_with_a_reason(expression, reason):
    with pytest.raises(ToolError, match=re.escape(reason)):
        calculate(expression)


numbers = st.integers(-(10**20), 10**20)


@given(numbers, numbers, st.sampled_from(["+", "-", "*", "//", "%"]))
def test_whole_numbers_agree_with_python(left, right, sign):
    if right == 0 and sign in {"//", "%"}:
        return

    assert calculate(f"({left}) {sign} ({right})") == str(eval(f"({left}) {sign} ({right})"))


@given(st.decimals(places=6, min_value=-1000, max_value=1000), st.decimals(places=6))
def test_sums_of_fractions_are_exact(left, right):
    if right.is_nan() or right.is_infinite() or abs(right) > 10**9:
        return

    assert Fraction(calculate(f"({left}) + ({right})")) == Fraction(left) + Fraction(right)


@given(st.text(alphabet="0123456789.+-*/%() sqrtminmaxabsround,", max_size=40))
def test_no_text_does_anything_but_compute_or_be_refused(text):
    try:
        value = calculate(text)
    except ToolError as error:
        value = str(error)

    assert value
