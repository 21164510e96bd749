"""Put images into a request: a plan names them by digest, but providers need their bytes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from history.core.plan.neutral_request import MEDIA, RETURNED

MISSING = {"type": "text", "text": "[Image no longer stored]"}


def digests_in(messages: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the digests of the images that the messages refer to."""
    return {
        digest
        for message in messages
        if isinstance(content := message.get("content"), list)
        for part in content
        if (digest := _digest(part))
    }


def urls_in(messages: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the addresses of all images. Once images are put in, these are data URLs."""
    for message in messages:
        if isinstance(content := message.get("content"), list):
            yield from (str(part["image_url"]["url"]) for part in content if "image_url" in part)


def with_images(message: dict[str, Any], urls: Mapping[str, str]) -> dict[str, Any]:
    """Put the images in their places; a text stands for an image that is no longer stored."""
    if not isinstance(message.get("content"), list):
        return message
    return {**message, "content": [_part(part, urls) for part in message["content"]]}


def after_results(messages: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Move images in tool results to user messages: most providers take images only there."""
    moved: list[dict[str, Any]] = []
    for message in messages:
        if moved and message["role"] != "tool":
            yield _carrying(moved)
            moved = []
        pictures = _pictures(message) if message["role"] == "tool" else []
        moved += pictures
        yield {**message, "content": _words(message)} if pictures else message
    if moved:
        yield _carrying(moved)


def _carrying(pictures: list[dict[str, Any]]) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": RETURNED}, *pictures]}


def _pictures(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [part for part in content if _digest(part)] if isinstance(content, list) else []


def _words(message: Mapping[str, Any]) -> str:
    """Return a result's text; if it has only images, return a sentence that says so."""
    texts = [part["text"] for part in message["content"] if part["type"] == "text"]
    return "\n\n".join(texts) or "[See the picture below]"


def _part(part: dict[str, Any], urls: Mapping[str, str]) -> dict[str, Any]:
    digest = _digest(part)
    if not digest:
        return part
    url = urls.get(digest)
    return {**part, "image_url": {**part["image_url"], "url": url}} if url else MISSING


def _digest(part: Mapping[str, Any]) -> str:
    url = str(part.get("image_url", {}).get("url", ""))
    return url.removeprefix(MEDIA) if url.startswith(MEDIA) else ""
