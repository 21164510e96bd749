"""What a node of a ChatGPT export says, by its author and the type of its content."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from history.core.transcript.messages import Role, ToolCall
from history.core.transcript.parts import Reasoning, ReasoningForm
from history.core.words.json_text import is_object
from history.services.imports.chats import ImportedFile, ImportedMessage, Skipped, Why, unknown_part
from history.services.imports.readers.chatgpt_files import PointedFiles
from history.services.imports.readers.values import mapping, moment, sequence, text

ROLES = {str(role): role for role in Role}
INSTRUCTIONS = {"user_editable_context", "model_editable_context"}
SILENT = {"reasoning_recap", "app_pairing_content", "system_error"}
# The marks around ChatGPT's citations.
MARKS = re.compile("\ue200[^\ue200\ue201]*\ue201|[\ue200-\ue20f]")


class NodeReader:
    """Reads the nodes of one chat. `model` is that of answers that name none; `hidden` counts
    messages that ChatGPT did not show either.
    """

    def __init__(self, assets: PointedFiles, model: str = "") -> None:
        self.assets, self.model = assets, model
        self.hidden = 0
        self.skipped: list[Skipped] = []
        self._missed: set[str] = set()
        self._thoughts: dict[str, Reasoning] = {}

    def read(self, name: str, node: Mapping[str, Any]) -> ImportedMessage | None:
        """Return the message of a node; None if it shows nothing."""
        message = mapping(node.get("message"))
        content = mapping(message.get("content"))
        if not content:
            return None
        kind = text(content.get("content_type"))
        role = self._role(name, message, kind)
        if role is None or kind in SILENT:
            return None
        if kind == "thoughts":
            self._think(name, content)
            return None
        if _is_hidden(message) and kind not in INSTRUCTIONS:
            self.hidden += any(map(text, sequence(content.get("parts"))))
            return None
        return self._message(name, role, message, content)

    def placed(
        self, message: ImportedMessage, parent: str | None, between: Iterable[str]
    ) -> ImportedMessage:
        """Add a message after its parent, with what the model thought in the nodes `between`."""
        names = reversed(list(between))
        thoughts = [self._thoughts[name] for name in names if name in self._thoughts]
        own = thoughts if message.role is Role.ASSISTANT else []
        return replace(message, parent=parent, parts=(*own, *message.parts))

    def _role(self, name: str, message: Mapping[str, Any], kind: str) -> Role | None:
        role = text(mapping(message.get("author")).get("role"))
        if kind in INSTRUCTIONS:
            return Role.SYSTEM
        if role not in ROLES:
            self.skipped.append(Skipped(Why.UNKNOWN_ROLE, name, {"role": role[:50]}))
        return ROLES.get(role)

    def _message(
        self, name: str, role: Role, message: Mapping[str, Any], content: Mapping[str, Any]
    ) -> ImportedMessage | None:
        words, files = self._said(name, content)
        files += self._attachments(message, files)
        recipient = text(message.get("recipient")) or "all"
        is_call = role is Role.ASSISTANT and recipient != "all"
        if not (words.strip() or files):
            return None
        author = text(mapping(message.get("author")).get("name"))
        return ImportedMessage(
            id=name,
            parent=None,
            role=role,
            text="" if is_call else words,
            created=moment(message.get("create_time")),
            model=self._model(role, mapping(message.get("metadata"))),
            calls=(ToolCall(name, recipient, _arguments(words)),) if is_call else (),
            tool_name=author if role is Role.TOOL else "",
            parts=tuple(files),
        )

    def _model(self, role: Role, metadata: Mapping[str, Any]) -> str:
        """Return the model of an answer. Newer files name it only if it differs from the chat's."""
        own = text(metadata.get("model_slug"))
        return own or (self.model if role is Role.ASSISTANT else "")

    def _said(self, name: str, content: Mapping[str, Any]) -> tuple[str, list[ImportedFile]]:
        match text(content.get("content_type")):
            case "text" | "multimodal_text":
                return self._parts(name, sequence(content.get("parts")))
            case "tether_browsing_display":
                return text(content.get("result")) or text(content.get("summary")), []
            case "tether_quote":
                return _joined("\n", content, "title", "url", "text"), []
            case "user_editable_context":
                return _joined("\n\n", content, "user_profile", "user_instructions"), []
            case "model_editable_context":
                return text(content.get("model_set_context")), []
            case kind:
                return self._other(name, kind, content)

    def _other(
        self, name: str, kind: str, content: Mapping[str, Any]
    ) -> tuple[str, list[ImportedFile]]:
        """Read the text of code, of a program's output, and of types that are not known."""
        if words := text(content.get("text")):
            return words, []
        if isinstance(content.get("parts"), list):
            return self._parts(name, content["parts"])
        self.skipped.append(unknown_part(kind, name))
        return "", []

    def _parts(self, name: str, parts: Iterable[Any]) -> tuple[str, list[ImportedFile]]:
        texts: list[str] = []
        files: list[ImportedFile] = []
        for part in parts:
            if isinstance(part, str):
                texts += [MARKS.sub("", part)] if part else []
            elif text(mapping(part).get("content_type")) == "image_asset_pointer":
                files += self._file(text(mapping(part).get("asset_pointer")), "image", texts)
            elif spoken := text(mapping(part).get("text")):
                texts.append(spoken)
            else:
                kind = text(mapping(part).get("content_type"))
                self.skipped.append(unknown_part(kind, name))
        return "\n".join(texts), files

    def _file(self, pointer: str, name: str, texts: list[str]) -> list[ImportedFile]:
        member = self.assets.member(pointer)
        if not member:
            return [ImportedFile(self._missed_name(pointer, name))]
        return [ImportedFile(name, member=member, at=len("\n".join(texts)))]

    def _attachments(
        self, message: Mapping[str, Any], files: Iterable[ImportedFile]
    ) -> list[ImportedFile]:
        """Return the attached files, except those that the message's content contains already."""
        names = {file.member for file in files} | {file.name for file in files if not file.member}
        rest: list[ImportedFile] = []
        for attachment in sequence(mapping(message.get("metadata")).get("attachments")):
            id_ = text(mapping(attachment).get("id"))
            if (self.assets.member(id_) or id_) not in names:
                rest += self._file(id_, text(mapping(attachment).get("name")) or "file", [])
        return rest

    def _missed_name(self, pointer: str, name: str) -> str:
        """Note once that a file is missing, and return its name; an image's name is its id."""
        id_ = pointer.rpartition("/")[2]
        missing_name = name if name != "image" else id_
        if id_ not in self._missed:
            self._missed.add(id_)
            self.skipped.append(Skipped(Why.NO_FILE, missing_name))
        return missing_name

    def _think(self, name: str, content: Mapping[str, Any]) -> None:
        thoughts = content.get("thoughts")
        steps = [text(mapping(step).get("content")) for step in sequence(thoughts)]
        thought = text(thoughts) or "\n\n".join(filter(None, steps))
        if thought:
            self._thoughts[name] = Reasoning(ReasoningForm.SUMMARY, thought)


def _joined(between: str, content: Mapping[str, Any], *fields: str) -> str:
    return between.join(filter(None, (text(content.get(field)) for field in fields)))


def _is_hidden(message: Mapping[str, Any]) -> bool:
    metadata = mapping(message.get("metadata"))
    return bool(metadata.get("is_visually_hidden_from_conversation")) or message.get("weight") == 0


def _arguments(words: str) -> str:
    return words if is_object(words) else json.dumps({"input": words}, ensure_ascii=False)
