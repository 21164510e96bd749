"""Forms that read the queries of the inspector's addresses."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import Http404

MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class RecordQuery:
    """The request that an address names. A field is None if the address does not name it."""

    turn: int | None = None
    generation: UUID | None = None
    step: int | None = None


class RecordQueryForm(forms.Form):
    turn = forms.IntegerField(required=False, min_value=0, max_value=MOST)
    generation = forms.UUIDField(required=False)
    step = forms.IntegerField(required=False, min_value=1, max_value=MOST)


def read(form: forms.Form) -> dict[str, Any]:
    """Read a form from the address's query. Raise Http404, naming the parameter at fault."""
    if not form.is_valid():
        name, errors = next(iter(form.errors.items()))
        raise Http404(f"{name}: {errors[0]}")
    return form.cleaned_data
