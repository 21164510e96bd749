"""The zone on the request itself; each part is fetched when it is opened."""

from django.urls import include, path
from django.utils.translation import gettext_lazy as _

from chatapp.inspector.raw import raw_views
from chatapp.inspector.zone import Place, Zone

urls = [
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
RAW = Zone(
    "raw",
    _("Raw"),
    "panel/raw/zone.html",
    lambda shown: shown.record,
    hint=_("the request itself"),
    place=Place.RIGHT,
    urls=[
        path("raw/", include(urls)),
        path("summary/<int:checkpoint>/wire", raw_views.summary_wire_fragment, name="summary_wire"),
    ],
)
