"""A form's preview: the settings that would be in force, while they are typed. Nothing is
stored.
"""

from abc import abstractmethod
from typing import Any, cast

from django.contrib.admin.helpers import AdminForm
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse

from agents.effective import Preview
from agents.form_parts.typed import TypedAdmin
from agents.saving import VersionCounted
from agents.templatetags.forms import faults


class PreviewedAdmin(TypedAdmin):
    """An admin page with a preview of what is typed."""

    @abstractmethod
    def preview(self, row: Any) -> Preview:
        """Preview an object, stored or not; `row` is None on the page that adds one."""

    def previewed(self, request: HttpRequest, typed: Any) -> dict[str, Any]:
        """Return further values for the preview's template, besides those of `preview`."""
        return {}

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.preview_view)
        name = self._preview_name
        own = [path("preview/", view, name=name), path("<int:pk>/preview/", view, name=name)]
        return [*own, *super().get_urls()]

    @property
    def _preview_name(self) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_preview"

    def preview_url(self, row: Model | None) -> str:
        return reverse(f"admin:{self._preview_name}", args=[row.pk] if row else [])

    def preview_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Render the settings that the posted form would result in."""
        row, form = self.typed_form(request, pk)
        for field in form.fields.values():
            field.required = False  # An empty field is no error while typing.
        form.is_valid()
        typed = _typed(form, row)
        is_saved = row is not None and not form.errors and _is_same(form, typed, row)
        if isinstance(typed, VersionCounted) and not is_saved:
            typed.version += 1  # The version that saving would make.
        page = AdminForm(form, cast(Any, self.get_fieldsets(request, row)), {}, (), self)
        context = {"page": page, "faults": faults(page), "is_saved": is_saved}
        context |= self._come_to(request, typed)
        if row and not is_saved:
            context["saved"] = self._come_to(request, row)
        return render(request, "admin/agents/previewed.html", context)

    def _come_to(self, request: HttpRequest, one: Any) -> dict[str, Any]:
        """Return the values for the preview's template, for a typed or a stored object."""
        preview = self.preview(one)
        return {
            "effective_settings": preview.rows,
            "contradictions": preview.warnings,
            "memory": preview.memory,
            **self.previewed(request, one),
        }


def _typed(form: Any, row: Model | None) -> Any:
    """Return the object as typed; fields with errors keep their stored values."""
    typed = form.instance
    before: Any = row or type(typed)()
    for name in form.errors:
        if name in form.setting_fields:
            setting = form.setting_fields[name].spec.name
            own = {k: v for k, v in before.history_settings.items() if k == setting}
            typed.history_settings = typed.history_settings | own
        elif hasattr(before, name):
            setattr(typed, name, getattr(before, name))
    return typed


def _is_same(form: Any, typed: Model, row: Model) -> bool:
    """Whether saving would change nothing. Values are compared as they would be stored, because
    browsers change the line ends that they post.
    """
    pairs = ((f.value_from_object(typed), f.value_from_object(row)) for f in form.guarded(row))
    return all(one == other for one, other in pairs)
