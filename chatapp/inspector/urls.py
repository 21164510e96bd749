"""The inspector's addresses; chatapp.urls includes them."""

from django.urls import path

from chatapp.inspector import views

urlpatterns = [
    path("chat/panel", views.new_panel, name="new_panel"),
    path("chat/<uuid:conversation>/panel", views.panel, name="panel"),
    path("chat/<uuid:conversation>/panel/rows", views.rows, name="panel_rows"),
    path("chat/<uuid:conversation>/debug/turn/<int:turn>", views.turn, name="turn"),
]
