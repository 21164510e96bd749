"""The inspector's addresses, which chatapp.urls includes."""

from django.urls import include, path

from chatapp.inspector import views
from chatapp.inspector.zones import ZONES

urlpatterns = [
    path("chat/panel", views.new_panel, name="new_panel"),
    path("chat/<uuid:conversation>/panel", views.panel, name="panel"),
    path("chat/<uuid:conversation>/debug/turn/<int:turn>", views.turn, name="turn"),
    path("chat/<uuid:conversation>/panel/", include([url for zone in ZONES for url in zone.urls])),
]
