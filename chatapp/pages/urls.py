"""The addresses of single messages; chatapp.urls includes them."""

from django.urls import path

from chatapp.pages import delegation, message_views

urlpatterns = [
    path(
        "chat/<uuid:conversation>/messages/<int:first>-<int:last>/verdict",
        message_views.verdict,
        name="verdict",
    ),
    path(
        "chat/<uuid:conversation>/delegations/<uuid:generation>",
        delegation.delegation,
        name="delegation",
    ),
    path("chat/<uuid:conversation>/marks", message_views.marks, name="marks"),
]
