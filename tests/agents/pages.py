"""The admin's pages as a person uses them: opened, with some fields changed, and saved."""

from django.urls import reverse


def change_page(obj):
    return reverse(f"admin:agents_{obj._meta.model_name}_change", args=[obj.pk])


def add_page(name):
    return reverse(f"admin:agents_{name}_add")


def submit(client, url, **changes):
    """Post the page's form with `changes`, as a browser would."""
    form = client.get(url).context["adminform"].form
    shown = {field.html_name: field.value() for field in form}
    return client.post(url, {k: v for k, v in (shown | changes).items() if v not in (None, False)})


def errors(response):
    return {name: list(found) for name, found in response.context["adminform"].form.errors.items()}


def warnings(response):
    return list(response.context["contradictions"])


def preview(response):
    """Return each setting's label with its value, source, lock, and the outranked values as
    sentences.
    """
    return {
        row.label: (
            row.value,
            row.source,
            row.lock,
            [f"{loser.value} {loser.source}: {loser.reason}" for loser in row.losers],
        )
        for row in response.context["effective_settings"]
    }
