"""The addresses of the overview's pages for staff, which chatapp.urls includes."""

from django.urls import path

from chatapp.overview import views

urlpatterns = [
    path("inspect/", views.overview, name="overview"),
    path("inspect/failures", views.failures, name="failures"),
    path("inspect/figures.csv", views.figures_file, name="figures_file"),
    path("inspect/<uuid:conversation>", views.transcript, name="transcript"),
]
