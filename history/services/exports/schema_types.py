"""The types of values in an export. They accept nothing that the database could not store."""

from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, AwareDatetime, Field

from history.core.words.storable import storing_fault
from history.services.texts import Storable

Id: TypeAlias = Annotated[int, Field(ge=1, lt=2**63)]
Number: TypeAlias = Annotated[int, Field(ge=0, lt=2**31)]
Text: TypeAlias = Storable
Name: TypeAlias = Annotated[Storable, Field(max_length=200)]
Time: TypeAlias = AwareDatetime


def _storable(fields: dict[str, Any]) -> dict[str, Any]:
    if fault := storing_fault(fields):
        raise ValueError(fault)
    return fields


# Fields that only one provider has, as it gave them.
Fields: TypeAlias = Annotated[dict[str, Any], AfterValidator(_storable)]
