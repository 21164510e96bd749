"""Exact arithmetic on what a model writes: parsed, never evaluated by Python itself."""

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import (
    ROUND_HALF_UP,
    Context,
    Decimal,
    DecimalException,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    localcontext,
)
from typing import Annotated

from pydantic import Field

from agents.tools.tool import ToolError, tool

EXAMPLE = "For example: 12 * (3 + 4)"
LONGEST = 1_000  # The longest expression, in characters.
DIGITS = 1_000  # The most digits of an exact whole number.
SHOWN = 28  # The digits shown of a number that is not whole.
LARGEST_EXPONENT = 1_000
TOP = 999_999  # The greatest number is ten to this power.

ARITHMETIC = Context(
    prec=DIGITS, Emax=TOP, Emin=-TOP, traps=[DivisionByZero, InvalidOperation, Overflow]
)
SIGNS = str.maketrans({"^": "**", "\u00d7": "*", "\u00f7": "/", "\u2212": "-"})


def calculate(expression: str) -> str:
    """Return an expression's value: `0.1 + 0.2` is 0.3. Raise ToolError if it has none."""
    if len(expression) > LONGEST:
        raise ToolError(f"the expression is longer than {LONGEST:,} characters.")
    with localcontext(ARITHMETIC):
        try:
            return _written(_value(*_parsed(expression)))
        except DivisionByZero as error:
            raise ToolError("division by zero.") from error
        except Overflow as error:
            raise ToolError("the result is too large.") from error
        except (DecimalException, RecursionError) as error:
            raise ToolError("the expression can't be computed.") from error


def _parsed(expression: str) -> tuple[ast.expr, str]:
    """Return an expression's syntax tree, and the source text to which its places refer."""
    source = expression.translate(SIGNS).strip()
    try:
        return ast.parse(source, mode="eval").body, source
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ToolError(f"{expression[:80]!r} is not an arithmetic expression.") from error


def _value(node: ast.expr, source: str) -> Decimal:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return Decimal(number)
        case ast.Constant(value=float()):  # A float has already lost digits.
            return Decimal(ast.get_source_segment(source, node) or "")
        case ast.BinOp(left, sign, right) if type(sign) in OPERATORS:
            return OPERATORS[type(sign)](_value(left, source), _value(right, source))
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, source)
        case ast.UnaryOp(ast.UAdd(), operand):
            return _value(operand, source)
        case ast.Call(ast.Name(name), arguments, []) if name in FUNCTIONS and arguments:
            return _called(name, [_value(argument, source) for argument in arguments])
    raise ToolError(f"{ast.unparse(node)[:80]!r} is not arithmetic; {HELP}")


def _called(name: str, values: list[Decimal]) -> Decimal:
    try:
        return FUNCTIONS[name](*values)
    except TypeError as error:
        raise ToolError(f"{name} does not take {len(values)} numbers.") from error


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > LARGEST_EXPONENT:
        raise ToolError(f"exponents go up to {LARGEST_EXPONENT:,}.")
    if exponent == exponent.to_integral_value():
        return base**exponent
    return Context(prec=2 * SHOWN).power(base, exponent)  # A root of 1,000 digits takes 17 ms.


def _remainder(left: Decimal, right: Decimal) -> Decimal:
    """Return the remainder of floor division, like Python's %; Decimal's truncates instead."""
    if not right:
        raise DivisionByZero
    rest = left % right
    return rest + right if rest and (rest < 0) != (right < 0) else rest


def _floor_divide(left: Decimal, right: Decimal) -> Decimal:
    return (left - _remainder(left, right)) / right


def _rounded(value: Decimal, digits: Decimal = Decimal(0)) -> Decimal:
    if abs(digits) > SHOWN:
        raise ToolError(f"round takes at most {SHOWN} digits.")
    return value.quantize(Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)


def _written(value: Decimal) -> str:
    if value == value.to_integral_value() and value.adjusted() < DIGITS:
        return str(int(value))
    number = value.normalize(Context(prec=SHOWN, Emax=TOP, Emin=-TOP))
    return f"{number:f}" if -SHOWN < number.adjusted() < SHOWN else str(number)


OPERATORS: Mapping[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: _floor_divide,
    ast.Mod: _remainder,
    ast.Pow: _power,
}
FUNCTIONS: Mapping[str, Callable[..., Decimal]] = {
    "sqrt": Decimal.sqrt,
    "abs": abs,
    "round": _rounded,
    "min": min,
    "max": max,
}
HELP = f"use + - * / // % ** ( ) and {', '.join(FUNCTIONS)}."


def calculator(expression: Annotated[str, Field(description=EXAMPLE)]) -> str:
    """Exact arithmetic: + - * / // % ** ( ), sqrt, abs, round, min, max."""
    return calculate(expression)


CALCULATOR = tool(calculator)
