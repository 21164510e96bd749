"""The demo agents' windows move in steps of ten: a new version of those that nobody has touched."""

from hashlib import sha256

from django.db import migrations
from django.utils import timezone

REASON = 'Updated with Vitrine: the window moves in steps of 10'
# How they were shipped: the length, and the beginnings of their prompts' hashes.
SHIPPED = {
    'demo': (20, {'ed1e0cd29d2c'}),
    'seeker': (10, {'ccfce4c6315d', 'efc7c4012725'}),
    'courier': (20, {'754acbfa11ea', '5a2495e7d7e0'}),
    'greeter': (20, {'70761c4774ca'}),
    'researcher': (20, {'8b1c66d9dd7b'}),
    'accountant': (20, {'4410d9b96427'}),
}
BACK = ', and to the greeter for anything else.'
TOLD = (
    ('the last ten turns', 'the last ten to nineteen turns'),
    ('Hand over to the accountant for sums.', 'Hand over to the accountant for sums' + BACK),
    ('Hand over to the researcher for reports.', 'Hand over to the researcher for reports' + BACK),
)
IGNORED = {'greeter': ['calculator', 'report'], 'researcher': ['calculator']}


def move_in_steps(apps, schema_editor):
    templates = apps.get_model('agents', 'AgentTemplate').objects
    for template in templates.filter(slug__in=SHIPPED, version=1):
        length, prompts = SHIPPED[template.slug]
        shipped = {'policy': 'lastN', 'length': length}
        written = sha256(template.system_prompt.encode()).hexdigest()[:12]
        if template.history_settings == shipped and written in prompts:
            template.history_settings = {**shipped, 'length_stride': 10}
            for old, new in TOLD:
                template.system_prompt = template.system_prompt.replace(old, new)
            if template.slug in IGNORED and not template.processors:
                others = {'use': 'tool_call_filter', 'exclude': IGNORED[template.slug]}
                template.processors = [others]
            template.version = 2
            store(apps, template)


def store(apps, template):
    """Store the template and its version, as a save would."""
    names = ('history_settings', 'system_prompt', 'processors', 'version')
    new = {name: getattr(template, name) for name in names}
    type(template).objects.filter(pk=template.pk).update(**new, changed=timezone.now())
    versions = apps.get_model('agents', 'HistoricalAgentTemplate')
    fields = {field.attname for field in versions._meta.concrete_fields}
    whole = {f.attname: getattr(template, f.attname) for f in template._meta.concrete_fields}
    kept = {name: value for name, value in whole.items() if name in fields}
    about = {'history_date': timezone.now(), 'history_type': '~', 'history_change_reason': REASON}
    versions.objects.create(**kept, **about)


class Migration(migrations.Migration):

    dependencies = [
        ('agents', '0011_descriptions'),
    ]

    operations = [
        migrations.RunPython(move_in_steps, migrations.RunPython.noop),
    ]
