from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("history", "0014_approvals"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="generation",
            index=models.Index(
                fields=["conversation", "turn", "created"], name="history_generation_turn"
            ),
        ),
        migrations.AddIndex(
            model_name="generation",
            index=models.Index(
                fields=["conversation", "status"], name="history_generation_status"
            ),
        ),
    ]
