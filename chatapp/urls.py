"""All addresses of the server."""

from django.contrib import admin
from django.urls import include, path, register_converter
from django.views.generic import RedirectView

from chatapp.api.root import api
from chatapp.exports import views as exports
from chatapp.pages import attachments, imports, message_views, views
from chatapp.pages.delegation import delegation
from chatapp.pages.own_data import all_deleted, own_data
from chatapp.pages.settings.views import memory, model, new_memory
from chatapp.pages.sidebar.shelves import change_chats
from chatapp.server import health

register_converter(attachments.DigestConverter, "digest")
admin.site.site_title = admin.site.site_header = "Vitrine administration"

handler400 = "chatapp.server.errors.bad_request"
handler500 = "chatapp.server.errors.server_error"

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="home")),
    path("chat", views.home, name="home"),
    path("chat/memory", new_memory, name="new_memory"),
    path("chat/<uuid:conversation>", views.chat, name="chat"),
    path("chat/<uuid:conversation>/older", views.older, name="older"),
    path("chat/<uuid:conversation>/around", views.around, name="around"),
    path("chat/<uuid:conversation>/rename", views.rename, name="rename"),
    path("chat/<uuid:conversation>/branch", views.branch, name="branch"),
    path("chat/<uuid:conversation>/export", exports.export, name="export"),
    path("export", exports.export_all, name="export_all"),
    path("chat/<uuid:conversation>/memory", memory, name="memory"),
    path("chat/<uuid:conversation>/model", model, name="model"),
    path("chat/<uuid:conversation>/delegations/<uuid:generation>", delegation, name="delegation"),
    path("chat/<uuid:conversation>/media/<digest:digest>", attachments.media, name="media"),
    path(
        "chat/<uuid:conversation>/messages/<int:message>/files/<int:number>",
        attachments.file,
        name="file",
    ),
    path("attachments", attachments.attach, name="attach"),
    path("attachments/<uuid:attachment>", attachments.picture, name="attachment"),
    path("attachments/<uuid:attachment>/remove", attachments.remove, name="remove_attachment"),
    path("imports", imports.imports, name="imports"),
    path("imports/<uuid:job>", imports.one_import, name="import"),
    path("imports/<uuid:job>/chats", imports.imported_chats, name="imported_chats"),
    path("imports/<uuid:job>/stop", imports.stop_import, name="stop_import"),
    path("imports/<uuid:job>/undo", imports.undo_import, name="undo_import"),
    path("imports/<uuid:job>/redo", imports.redo_import, name="redo_import"),
    path(
        "chat/<uuid:conversation>/summaries/next", message_views.next_summary, name="next_summary"
    ),
    path(
        "chat/<uuid:conversation>/summaries/<int:checkpoint>/undo",
        message_views.undo_summary,
        name="undo_summary",
    ),
    path("chat/<uuid:conversation>/marks", message_views.marks, name="marks"),
    path(
        "chat/<uuid:conversation>/messages/<int:first>-<int:last>/verdict",
        message_views.verdict,
        name="verdict",
    ),
    path("", include("chatapp.inspector.urls")),
    path("", include("chatapp.overview.urls")),
    path("visitor", views.visitor, name="visitor"),
    path("chats", views.chats, name="chats"),
    path("chats/change", change_chats, name="change_chats"),
    path("chats/found", views.found_older, name="found_older"),
    path("chats/<uuid:conversation>/found", views.found_in, name="found_in"),
    path("account", own_data, name="own_data"),
    path("account/deleted", all_deleted, name="all_deleted"),
    path("", include("chatapp.accounts.urls")),
    path("", include("chatapp.about.urls")),
    path("favicon.ico", views.favicon),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("api/", api.urls),
]
