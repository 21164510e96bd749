"""Apply a tried setting to a template, and so to each chat that uses it; and undo that."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from django.conf import settings as site
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _
from simple_history.utils import update_change_reason

from agents.effective import disagreements
from agents.models import AgentTemplate
from agents.networks.models import Network
from history.core.settings.layers import validate
from history.core.settings.spec import STRIDE, LayerName
from history.core.words.errors import SettingErrors
from history.models import Conversation
from history.services.access import Actor
from history.services.errors import Conflict, NotFound
from history.wording.settings import labelled_faults_of

MODEL = "model"
TAKEN = "Applied from a what-if in the inspector"
TAKEN_BACK = "Undone in the inspector"
NOBODY = Q(pk__in=())
# Only lastN has a length. Without its first part, this is NULL where a chat has no policy.
OTHER_POLICY = Q(history_settings__has_key="policy", history_settings__policy__in=["none", "all"])
OUTRANKING = {  # A chat's own settings that outrank an agent's, where other ones do, too.
    "length": Q(history_settings__has_key="length") | OTHER_POLICY,
    STRIDE: Q(history_settings__has_any_keys=["length", "max_items"]),
}


@dataclass(frozen=True, slots=True)
class TemplateReach:
    """How many chats a change of a template reaches, and how many users and visitors own these.
    `keeping` is how many chats have own settings that outrank one of those that change; a chat that
    they don't all outrank is counted in both.
    """

    chats: int
    people: int
    keeping: int = 0


def reach_of(template: AgentTemplate, changes: Collection[str]) -> TemplateReach:
    """Count the chats of the template and of its networks for which one or more settings change,
    without deleted chats and those that agents delegated. `model` is a setting, too.
    """
    own = [_has_own(template, name) for name in changes]
    keep_one, keep_all = reduce(or_, own), reduce(and_, own)
    chats = Conversation.objects.filter(_answered_by(template), asked_by=None, deleted_at=None)
    counts = chats.aggregate(
        chats=Count("pk", filter=~keep_all),
        owners=Count("owner", distinct=True, filter=~keep_all),
        visitors=Count("visitor", distinct=True, filter=~keep_all & ~Q(visitor="")),
        keeping=Count("pk", filter=keep_one),
    )
    people = counts["owners"] + counts["visitors"]
    return TemplateReach(counts["chats"], people, counts["keeping"])


def _answered_by(template: AgentTemplate) -> Q:
    """Return the condition under which the template answers in a chat, alone or in a network."""
    members_of = Network.objects.values_list("pk", "members")
    networks = [pk for pk, members in members_of if template.slug in members]
    own = Q(agent=template)
    return own | Q(network__in=networks) if networks else own


def _has_own(template: AgentTemplate, setting: str) -> Q:
    """Return the condition under which a chat has own settings that leave this one without effect,
    and its owner may have them; or a model that the agent may still use.
    """
    if setting == MODEL:
        return Q(model__in=template.allowed_models)
    may_have = {
        "everyone": Q(),
        "signed_in": Q(owner__isnull=False),
        "staff": Q(owner__is_staff=True),
        "off": NOBODY,
    }
    outranks = OUTRANKING.get(setting, Q(history_settings__has_key=setting))
    return may_have[site.HISTORY_URL_OVERRIDES] & outranks


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
