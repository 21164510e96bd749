"""Give a large table of SQLite another column without copying the table."""

from copy import copy
from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import AddField
from django.db.migrations.state import ProjectState


class AddColumn(AddField):
    """Add a field whose default is the same for every row, and may be null for none.

    For each such field Django copies SQLite's table, because it could not take the default out of
    the table again. It may stay there: the app stores no row without a value.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        if schema_editor.connection.vendor != "sqlite":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        field = copy(model._meta.get_field(self.name))
        field.db_default = field.get_default()
        BaseDatabaseSchemaEditor.add_field(schema_editor, model, field)
