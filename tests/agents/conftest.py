import pytest

from agents.models import AgentTemplate, SiteDefaults


@pytest.fixture(autouse=True)
def small_world(settings, catalogue):
    """Replace litellm's catalogue of models by three models; one of them is the default."""
    settings.DEFAULT_MODEL = "large/model"
    catalogue.know_three_models()
    catalogue.know_their_providers()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # Hashes fast.


@pytest.fixture
def template(db):
    return AgentTemplate.objects.create(
        slug="helper", name="Helper", history_settings={"policy": "lastN", "length": 12}
    )


@pytest.fixture
def site(db):
    return SiteDefaults.objects.create(history_settings={"length": 40})
