"""The demo agents' descriptions without what they remember: pages compute that from the settings."""

from django.db import migrations

DESCRIPTIONS = {
    'A good listener that is sent the last 20 turns.': 'General assistant.',
    'General assistant. Remembers the last 20 turns.': 'General assistant.',
    'Remembers everything that was ever said.': 'Refers back to what was said, and says where.',
    'Remembers three turns and cheerfully forgets the rest.': 'Cheerful, quick and forgetful.',
    'Remembers ten turns and can search the rest.': 'Looks things up in your chat before answering.',
    'Remembers nothing: every question stands alone.': 'Answers single questions, directly.',
}


def reword(apps, schema_editor):
    """Reword those that nobody has changed."""
    templates = apps.get_model('agents', 'AgentTemplate').objects
    for before, now in DESCRIPTIONS.items():
        templates.filter(description=before).update(description=now)


class Migration(migrations.Migration):

    dependencies = [
        ('agents', '0010_allowed_models'),
    ]

    operations = [
        migrations.RunPython(reword, migrations.RunPython.noop),
    ]
