"""The zone on other settings: its form, initially unchanged, and the experiments already made."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import path
from django.utils.translation import gettext_lazy as _

from chatapp.inspector.whatif import everybody, views
from chatapp.inspector.whatif.experiments import ExperimentBeside, experiments_of
from chatapp.inspector.whatif.form import WhatIfForm
from chatapp.inspector.zone import ShownRecord, Zone


@dataclass(frozen=True, slots=True)
class WhatIfZone:
    form: WhatIfForm
    experiments: Sequence[ExperimentBeside]


def what_if_zone(panel: ShownRecord) -> WhatIfZone:
    return WhatIfZone(
        WhatIfForm(panel.plan.settings, panel.explanation.agent, {}),
        experiments_of(panel.record, with_money=panel.with_money),
    )


HINT = _("try other settings without sending")
URLS = [
    path("what-if", views.what_if, name="what_if"),
    path("what-if/experiments", views.experiments, name="experiments"),
    path("what-if/take", views.take, name="take"),
    path("what-if/everybody", everybody.everybody, name="what_if_everybody"),
    path("what-if/everybody/undo", everybody.undo, name="what_if_undo"),
    path("replay", views.replay, name="replay"),
]
WHAT_IF = Zone("what-if", _("What-if"), HINT, what_if_zone, "right", urls=URLS, look="whatif")
