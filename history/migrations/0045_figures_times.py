from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0044_import_copies_and_missing_files"),
    ]

    operations = [
        migrations.AddField(
            model_name="callfigures",
            name="first_ms",
            field=models.FloatField(help_text="Time to the first token.", null=True),
        ),
        migrations.AddField(
            model_name="callfigures",
            name="total_ms",
            field=models.FloatField(
                help_text="Time to the end, of a request that brought anything back.", null=True
            ),
        ),
    ]
