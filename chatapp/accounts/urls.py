"""Addresses for signing in and out, and for passwords, under the names that Django's views use."""

from django.contrib.auth import views as django
from django.urls import path
from django.views.generic import RedirectView

from chatapp.accounts import views

urlpatterns = [
    path("login", views.SignIn.as_view(), name="login"),
    path("logout", django.LogoutView.as_view(), name="logout"),
    path("account/password", views.ChangePassword.as_view(), name="password_change"),
    path("account/password/changed", views.PasswordChanged.as_view(), name="password_changed"),
    path("account/reset", views.AskForLink.as_view(), name="password_reset"),
    path(
        "account/reset/sent",
        django.PasswordResetDoneView.as_view(template_name="accounts/sent.html"),
        name="password_reset_done",
    ),
    path(
        "account/reset/done",
        django.PasswordResetCompleteView.as_view(template_name="accounts/done.html"),
        name="password_reset_complete",
    ),
    path(
        "account/reset/<uidb64>/<token>",
        django.PasswordResetConfirmView.as_view(template_name="accounts/set.html"),
        name="password_reset_confirm",
    ),
    path("admin/login/", views.administration_login),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password_change")),
]
