"""The addresses of single messages; chatapp.urls includes them."""

from django.urls import path

from chatapp.pages import fragments

urlpatterns = [
    path(
        "chat/<uuid:conversation>/messages/<int:first>-<int:last>/verdict",
        fragments.verdict,
        name="verdict",
    ),
    path("chat/<uuid:conversation>/marks", fragments.marks, name="marks"),
]
