from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0014_approvals"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="generation",
            index=models.Index(fields=["conversation", "turn"], name="history_generation_turn"),
        ),
    ]
