"""Put images into a request: the planner names them by digest, providers take their bytes."""

from collections.abc import Iterable, Mapping
from typing import Any

from history.core.plan.wire import MEDIA

MISSING = {"type": "text", "text": "[Image no longer stored]"}


def digests_in(messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the digests of the images that the messages name."""
    return {
        digest
        for message in messages
        if isinstance(content := message.get("content"), list)
        for part in content
        if (digest := _digest(part))
    }


def with_images(message: dict[str, Any], urls: Mapping[str, str]) -> dict[str, Any]:
    """Put the images in their places; a text says so where one is no longer there."""
    if not isinstance(message.get("content"), list):
        return message
    return {**message, "content": [_part(part, urls) for part in message["content"]]}


def _part(part: dict[str, Any], urls: Mapping[str, str]) -> dict[str, Any]:
    digest = _digest(part)
    if not digest:
        return part
    url = urls.get(digest)
    return {**part, "image_url": {**part["image_url"], "url": url}} if url else MISSING


def _digest(part: Mapping[str, Any]) -> str:
    url = str(part.get("image_url", {}).get("url", ""))
    return url.removeprefix(MEDIA) if url.startswith(MEDIA) else ""
