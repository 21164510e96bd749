"""Apply a tried setting to a template, and so to each chat that uses it; and undo that."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from simple_history.utils import update_change_reason

from agents.effective import disagreements
from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.settings.layers import validate
from history.core.settings.spec import LayerName
from history.core.words.errors import SettingErrors
from history.models import Conversation
from history.services.access import Actor
from history.services.errors import Conflict, NotFound
from history.wording.settings import labelled_faults_of

MODEL = "model"
TAKEN = "Applied from a what-if in the inspector"
TAKEN_BACK = "Undone in the inspector"


@dataclass(frozen=True, slots=True)
class TemplateReach:
    """In how many chats a template answers, and how many users and visitors own these."""

    chats: int
    people: int


def reach_of(template: AgentTemplate) -> TemplateReach:
    """Count the chats of the template and of its networks, without those that agents delegated."""
    members_of = Network.objects.values_list("pk", "members")
    networks = [pk for pk, members in members_of if template.slug in members]
    answers = Q(agent=template)
    if networks:
        answers |= Q(network__in=networks)
    counts = Conversation.objects.filter(answers, asked_by=None).aggregate(
        chats=Count("pk"),
        owners=Count("owner", distinct=True),
        visitors=Count("visitor", distinct=True, filter=~Q(visitor="")),
    )
    return TemplateReach(counts["chats"], counts["owners"] + counts["visitors"])


def may_revise(actor: Actor) -> bool:
    return actor.user is not None and actor.user.has_perm("agents.change_agenttemplate")


def revise(
    actor: Actor, template: int, version: int, changes: Mapping[str, object]
) -> AgentTemplate:
    """Change the settings and the model of the version that the actor saw.

    All checks of the administration apply. Raise Conflict if that version is no longer the newest,
    or ValidationError if a check fails.
    """
    with transaction.atomic():
        row = _held(actor, template, version)
        changed = {name: value for name, value in changes.items() if name != MODEL}
        settings = {**row.history_settings, **changed}
        return _saved(row, settings, str(changes.get(MODEL, row.model)), TAKEN)


def take_back(actor: Actor, template: int, version: int) -> AgentTemplate:
    """Undo the change that made `version`, unless somebody has made another since."""
    with transaction.atomic():
        row = _held(actor, template, version)
        own, before = (row.versions.filter(version=n).first() for n in (version, version - 1))
        if before is None or own is None or own.history_change_reason != TAKEN:
            raise Conflict(
                "not_a_try", _("There is nothing to undo in {name}.").format(name=row.name)
            )
        return _saved(row, before.history_settings, before.model, TAKEN_BACK)


def _held(actor: Actor, template: int, version: int) -> AgentTemplate:
    """Lock the template until the transaction ends; on SQLite the transaction is the lock."""
    if not may_revise(actor):
        raise PermissionDenied
    row = AgentTemplate.objects.select_for_update().filter(pk=template).first()
    if row is None:
        raise NotFound("agent")
    if row.version != version:
        raise Conflict(
            "changed",
            _("{name} was changed in the meantime. Nothing was saved.").format(name=row.name),
        )
    return row


def _saved(
    template: AgentTemplate, settings: Mapping[str, object], model: str, reason: str
) -> AgentTemplate:
    try:
        template.history_settings = validate(LayerName.TEMPLATE, settings)
    except SettingErrors as error:
        raise ValidationError(labelled_faults_of(error)) from error
    template.model = model
    template.full_clean()
    if faults := list(disagreements(template)):
        raise ValidationError(faults)
    template.save()
    update_change_reason(template, reason)
    return template
