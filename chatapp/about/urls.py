from django.urls import path
from django.views.generic import RedirectView

from chatapp.about import views

urlpatterns = [
    path("shortcuts", views.shortcuts, name="shortcuts"),
    path("about", views.about, name="about"),
    path("about/", RedirectView.as_view(pattern_name="about")),
    path("about/docs/", RedirectView.as_view(pattern_name="about")),
    path("about/docs/keys", views.keys, name="keys"),
    path("about/docs/<path:document>", views.document, name="document"),
    path("about/files/<path:supplement>", views.document_file, name="document_file"),
]
