from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("history", "0047_applied_settings")]

    operations = [
        migrations.AddField("summarywire", "said", models.TextField(default="", blank=True)),
        migrations.AddField("wire", "said", models.TextField(default="", blank=True)),
    ]
