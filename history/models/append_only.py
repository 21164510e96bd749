"""Rows that are written only once. Python refuses to change them; a database trigger refuses
changes that bypass Python.
"""

from collections.abc import Iterable
from typing import Any, NoReturn, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class AppendOnlyError(TypeError):
    """Somebody tried to change or delete a row that is append-only."""


class AppendOnlyQuerySet(models.QuerySet[M]):
    """Reads and inserts rows. They are deleted only with their conversation, by the cascade."""

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise AppendOnlyError(f"{self.model.__name__} is append-only")

    update = aupdate = delete = adelete = bulk_update = abulk_update = _refuse
    update_or_create = aupdate_or_create = _update = _refuse

    def bulk_create(self, objs: Iterable[M], *args: Any, **kwargs: Any) -> list[M]:
        if kwargs.get("update_conflicts"):
            self._refuse()
        return super().bulk_create(objs, *args, **kwargs)


class AppendOnlyModel(models.Model):
    """A row that is saved only once. Subclasses must take `objects` from `AppendOnlyQuerySet`."""

    class Meta:
        abstract = True
        base_manager_name = "objects"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError(f"{type(self).__name__} is append-only")
        super().save(*args, **{**kwargs, "force_insert": True})

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError(f"{type(self).__name__} is append-only")
