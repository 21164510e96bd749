"""The arguments of a tool: a schema and a check, both made from a function's signature."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import CoreSchema, ErrorDetails

CONTEXT = "context"
LONGEST = 100_000  # The longest arguments, in characters of JSON.
SHOWN = 80  # The longest quoted name: models make names up.
CONFIG = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class ArgumentsRefused(ValueError):
    """A model's arguments do not fit the signature; the message names the argument."""


class _Untitled(GenerateJsonSchema):
    """Makes schemas without titles, which repeat names: a model pays for every word."""

    def field_title_should_be_set(self, schema: CoreSchema) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a tool, with their `schema`: the JSON schema of a flat object."""

    model: type[BaseModel]
    schema: Mapping[str, Any]
    takes_context: bool

    def read(self, text: str) -> dict[str, Any]:
        """Read the values in the JSON text that a model wrote. Raise `ArgumentsRefused`."""
        if len(text) > LONGEST:
            raise ArgumentsRefused(f"the arguments are longer than {LONGEST:,} characters.")
        try:
            values = self.model.model_validate_json(text or "{}")
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False)[0]
            raise ArgumentsRefused(self._reason(first)) from error
        return {name: getattr(values, name) for name in type(values).model_fields}

    def _reason(self, error: ErrorDetails) -> str:
        name = repr(".".join(map(str, error["loc"]))[:SHOWN])
        names = ", ".join(self.schema["properties"]) or "none"
        reason = error["msg"].removeprefix("Invalid JSON: ")[: SHOWN * 2]
        return {
            "json_invalid": f"the arguments are not valid JSON ({reason}).",
            "model_type": "the arguments must be a JSON object.",
            "missing": f"the argument {name} is missing.",
            "extra_forbidden": f"unknown argument {name}; the arguments are: {names}.",
        }.get(error["type"], f"the argument {name} is invalid: {reason[:1].lower()}{reason[1:]}.")


def function_schema(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool's schema in OpenAI's format."""
    function = {"name": name, "description": description, "parameters": dict(parameters)}
    return {"type": "function", "function": function}


def arguments_of(function: Callable[..., str]) -> Arguments:
    """Return the arguments in a function's signature. `Annotated[..., Field(description=...)]`
    describes each.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = signature(function).parameters
    fields: dict[str, Any] = {
        name: (hints[name], ... if parameter.default is Parameter.empty else parameter.default)
        for name, parameter in parameters.items()
        if name != CONTEXT
    }
    model = create_model("Arguments", __config__=CONFIG, **fields)
    schema = model.model_json_schema(schema_generator=_Untitled)
    del schema["title"]
    return Arguments(model, schema, takes_context=CONTEXT in parameters)
