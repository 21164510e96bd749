"""The inspector's addresses; chatapp.urls includes them."""

from django.urls import include, path

from chatapp.inspector import views
from chatapp.inspector.raw import raw_views
from chatapp.inspector.whatif import everybody
from chatapp.inspector.whatif import views as whatif_views

raw = [
    path("request", raw_views.request_fragment, name="raw_request"),
    path("message", raw_views.message_fragment, name="raw_message"),
    path("wire", raw_views.wire_fragment, name="raw_wire"),
    path("wire.json", raw_views.wire_json, name="raw_wire_json"),
    path("difference", raw_views.difference_fragment, name="raw_difference"),
    path("response", raw_views.response_fragment, name="raw_response"),
    path("events", raw_views.events_fragment, name="raw_events"),
    path("request.json", raw_views.request_json, name="raw_json"),
    path("request.curl", raw_views.request_curl, name="raw_curl"),
]
urlpatterns = [
    path("chat/panel", views.new_panel, name="new_panel"),
    path("chat/<uuid:conversation>/panel", views.panel, name="panel"),
    path("chat/<uuid:conversation>/panel/rows", views.rows, name="panel_rows"),
    path("chat/<uuid:conversation>/debug/turn/<int:turn>", views.turn, name="turn"),
    path("chat/<uuid:conversation>/panel/raw/", include(raw)),
    path(
        "chat/<uuid:conversation>/panel/summary/<int:checkpoint>/wire",
        raw_views.summary_wire_fragment,
        name="summary_wire",
    ),
    path("chat/<uuid:conversation>/panel/what-if", whatif_views.what_if, name="what_if"),
    path(
        "chat/<uuid:conversation>/panel/what-if/experiments",
        whatif_views.experiments,
        name="experiments",
    ),
    path("chat/<uuid:conversation>/panel/what-if/take", whatif_views.take, name="take"),
    path(
        "chat/<uuid:conversation>/panel/what-if/everybody",
        everybody.everybody,
        name="what_if_everybody",
    ),
    path(
        "chat/<uuid:conversation>/panel/what-if/everybody/undo",
        everybody.undo,
        name="what_if_undo",
    ),
    path("chat/<uuid:conversation>/panel/replay", whatif_views.replay, name="replay"),
]
