from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0015_generation_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="callfigures",
            name="agent",
            field=models.CharField(
                blank=True, default="", help_text="The slug of who called.", max_length=50
            ),
        ),
    ]
