"""Checks for several families: signatures, and unknown fields."""

import base64
import hashlib
import hmac
import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

KEY = b"the provider's own secret"


def sign(value: Any, size: int = 96) -> str:
    """Sign a value with this stand-in's secret key; `size` is the signature's length in bytes."""
    text = json.dumps(value, sort_keys=True)
    digest = hmac.new(KEY, text.encode(), hashlib.sha256).digest()
    return base64.b64encode((digest * (size // len(digest) + 1))[:size]).decode()


def is_signed(value: Any, signature: Any, size: int = 96) -> bool:
    return isinstance(signature, str) and hmac.compare_digest(sign(value, size), signature)


def unknown(given: Mapping[str, Any], known: Collection[str], where: str) -> Iterator[str]:
    for name in given:
        if name not in known:
            yield f"{where}{name}: Extra inputs are not permitted"


def first(refusals: Iterable[str]) -> str:
    return next(iter(refusals), "")


def pieces_of(text: str) -> tuple[str, str]:
    half = len(text) // 2
    return text[:half], text[half:]
