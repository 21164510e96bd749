from django.db import migrations


class Migration(migrations.Migration):
    """Once made the index of texts, which 0028 makes again in another form."""

    dependencies = [
        ('history', '0009_fill_call_figures'),
    ]

    operations = []
