from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('history', '0002_wire_left'),
    ]

    operations = [
        migrations.AddField(
            model_name='conversation',
            name='has_new_answer',
            field=models.BooleanField(default=False, editable=False, help_text='An answer has ended that its owner has not looked at.', verbose_name='new answer'),
        ),
    ]
