"""Django's settings. With an empty environment: local mode, loopback only, SQLite in var/."""

from functools import partial
from pathlib import Path

from csp.constants import NONCE, NONE, SELF

from agents.providers.keys import parse_secrets
from agents.tools.hosts import parse_hosts
from chatapp import env
from chatapp.accounts.mail import mail_settings
from chatapp.databases.connection_settings import database
from chatapp.env.media import media_storage
from chatapp.env.private_files import kept_secret
from chatapp.env.redis import EXECUTOR_APPS, executor, redis_url
from chatapp.env.refusals import faults
from chatapp.env.telemetry import telemetry
from chatapp.logs.settings import FORMS, logging_settings
from chatapp.server import lan
from chatapp.server.client_address import proxies
from history.core.settings.caps import LENGTH_CAP, TOKEN_BUDGET_CAP, Caps
from history.core.settings.registry import expect_pruners
from history.core.settings.spec import ModelName

BASE_DIR = env.ROOT
MODE = env.read("DJANGO_ENV", env.one_of("local", "lan", "production"))
PRODUCTION, LAN = MODE == "production", MODE == "lan"
DEBUG = env.read("DEBUG", env.boolean)
SECRET_KEY = env.read("SECRET_KEY", str)
ALLOWED_HOSTS = env.read("ALLOWED_HOSTS", env.names)
LOOPBACK = ["127.0.0.1", "localhost", "[::1]"]
PUBLIC_URL = env.origin(url) if (url := env.read("PUBLIC_URL", str)) else ""

env.refuse(MODE, faults(MODE, SECRET_KEY, PUBLIC_URL, ALLOWED_HOSTS, debug=DEBUG))
if LAN:
    ALLOWED_HOSTS += lan.own_addresses() + lan.own_names() + LOOPBACK

DATA_DIR = env.folder(BASE_DIR / env.read("DATA_DIR", Path))
SECRET_KEY = SECRET_KEY or kept_secret(DATA_DIR / "secret_key")
ALLOWED_HOSTS = ALLOWED_HOSTS or LOOPBACK
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL] if PUBLIC_URL else []

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "csp",
    "ninja",
    "simple_history",
    "agents",
    "history",
    "chatapp",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "chatapp.server.compression.CompressPages",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "chatapp.server.middleware.TrustedTypesExceptAdmin",
    "chatapp.server.middleware.GiveBackConnections",
    "chatapp.server.middleware.PrivateAnswers",
    "chatapp.server.middleware.RefuseNul",
    "chatapp.server.middleware.SayTooMany",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "chatapp.server.middleware.KnownHosts",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "chatapp.accounts.sessions.EndOldSignIns",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "chatapp.accounts.middleware.SayToWait",
]
ROOT_URLCONF = "chatapp.urls"
ASGI_APPLICATION = "chatapp.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n", "django.templatetags.l10n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": env.read("DATABASE_URL", partial(database, DATA_DIR))}
REDIS_URL = env.read("REDIS_URL", partial(redis_url, DATABASES["default"]["ENGINE"]))
GENERATION_EXECUTOR = env.read("GENERATION_EXECUTOR", partial(executor, REDIS_URL))
INSTALLED_APPS += EXECUTOR_APPS[GENERATION_EXECUTOR]
DRAIN_SECONDS = env.read("DRAIN_SECONDS", env.count)
STATEMENT_SECONDS = env.read("STATEMENT_SECONDS", env.whole(3_600))
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

_DJANGOS = ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"} for name in _DJANGOS
] + [{"NAME": "chatapp.accounts.passwords.RepeatedNameValidator"}]
AUTHENTICATION_BACKENDS = ["chatapp.accounts.signing_in.SlowedBackend"]
PASSWORD_HASHERS = ["chatapp.accounts.hashing.BoundedHasher"]
PASSWORD_RESET_TIMEOUT = env.read("PASSWORD_RESET_HOURS", env.whole(8_760)) * 3600
CAN_MAIL = bool(env.read("EMAIL_URL", str))
globals().update(env.read("EMAIL_URL", mail_settings))
DEFAULT_FROM_EMAIL = env.read("EMAIL_FROM", str)
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
SESSION_DAYS = env.read("SESSION_DAYS", env.whole(3_650))
SESSION_IDLE_DAYS = env.read("SESSION_IDLE_DAYS", env.whole(3_650))
SESSION_COOKIE_AGE = SESSION_DAYS * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION and PUBLIC_URL.startswith("https://")
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = (
    f"__Host-{name}" if SESSION_COOKIE_SECURE else name for name in ("sessionid", "csrftoken")
)
SECURE_SSL_REDIRECT = False  # The proxy in front of Vitrine redirects to https.
SECURE_HSTS_SECONDS = 31_536_000 if SESSION_COOKIE_SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SESSION_COOKIE_SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if SESSION_COOKIE_SECURE else None
# Check W008 warns about SECURE_SSL_REDIRECT, which is off on purpose.
SILENCED_SYSTEM_CHECKS = ["security.W008"]
SECURE_CROSS_ORIGIN_OPENER_POLICY = None  # chatapp.server.early sets the header instead.
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "form-action": [SELF],
        "require-trusted-types-for": ["'script'"],
        "trusted-types": ["htmx", "app"],
    }
}

LANGUAGE_CODE, TIME_ZONE = "en", "UTC"
USE_I18N = USE_TZ = True
LANGUAGES = [("en", "English")]
FORMAT_MODULE_PATH = "chatapp.formats"
LOCALE_PATHS = [BASE_DIR / "chatapp" / "locale"]

STATIC_URL, STATIC_ROOT = "static/", DATA_DIR / "static"
# WhiteNoise warns if the folder for static files is missing.
STATIC_ROOT.mkdir(mode=0o700, exist_ok=True)
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "chatapp.server.stylesheets.JoinedSheets",
    "chatapp.server.joined.finder.JoinedScripts",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
# The modes of uploaded files apply to collected static files, too.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
STORAGES = {
    "default": media_storage(DATA_DIR),
    "staticfiles": {
        "BACKEND": "chatapp.server.staticfiles.HashedStaticFiles"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = not PRODUCTION
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # Other sites have no use for Vitrine's static files.

LOG_LEVEL = env.read("LOG_LEVEL", env.one_of("DEBUG", "INFO", "WARNING", "ERROR"))
TELEMETRY = telemetry(env.read)
LOGGING = logging_settings(LOG_LEVEL, env.read("LOG_FORMAT", env.one_of(*FORMS)))

MAX_MESSAGE_BYTES = env.read("MAX_MESSAGE_BYTES", env.whole(100_000_000))
# JSON may need six bytes for each byte of a text.
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_MESSAGE_BYTES * 6 + 65_536
MAX_FILE_BYTES = env.read("MAX_FILE_BYTES", env.whole(1_000_000_000))
MAX_UPLOAD_BYTES = MAX_FILE_BYTES + 65_536  # A form adds some bytes around its file.
IMPORTS = env.read("IMPORTS", env.boolean)
MAX_IMPORT_BYTES = env.read("MAX_IMPORT_BYTES", env.whole(5_000_000_000))
FILES_PER_MESSAGE = env.read("FILES_PER_MESSAGE", env.whole(100))
MAX_IMAGE_PIXELS = env.read("MAX_IMAGE_PIXELS", env.whole(100_000_000))
IMAGE_SIDE = env.read("IMAGE_SIDE", env.whole(8_192))
MAX_PDF_PAGES = env.read("MAX_PDF_PAGES", env.whole(10_000))
SCANNED_PAGES = env.read("SCANNED_PAGES", env.whole(100))
FILE_SECONDS = env.read("FILE_SECONDS", env.whole(600))
FILE_SECONDS_PER_HOUR = env.read("FILE_SECONDS_PER_HOUR", env.count)
FILES_PER_MINUTE = env.read("FILES_PER_MINUTE", env.count)
FILE_BYTES_PER_DAY = env.read("FILE_BYTES_PER_DAY", env.count)
MAX_ANSWER_BYTES = env.read("MAX_ANSWER_BYTES", env.whole(100_000_000))
TOOL_ROUNDS = env.read("TOOL_ROUNDS", env.whole(1_000))
HAND_OVERS = env.read("HAND_OVERS", env.whole(1_000))
DELEGATIONS = env.read("DELEGATIONS", env.whole(1_000))
DELEGATION_DEPTH = env.read("DELEGATION_DEPTH", env.whole(100))
DELEGATION_SECONDS = env.read("DELEGATION_SECONDS", env.whole(86_400))
SENDS_PER_MINUTE = env.read("SENDS_PER_MINUTE", env.count)
SENDS_PER_MINUTE_PER_ADDRESS = env.read("SENDS_PER_MINUTE_PER_ADDRESS", env.count)
OPEN_ANSWERS = env.read("OPEN_ANSWERS", env.count)
OPEN_ANSWERS_PER_PERSON = env.read("OPEN_ANSWERS_PER_PERSON", env.count)
BYTES_PER_DAY = env.read("BYTES_PER_DAY", env.count)
TOKENS_PER_DAY = env.read("TOKENS_PER_DAY", env.count)
SOCKETS_PER_PERSON = env.read("SOCKETS_PER_PERSON", env.count)
SOCKETS_PER_ADDRESS = env.read("SOCKETS_PER_ADDRESS", env.count)
SOCKETS_PER_MINUTE = env.read("SOCKETS_PER_MINUTE", env.count)
FRAMES_PER_SECOND = env.read("FRAMES_PER_SECOND", env.count)
LOGIN_TRIES = env.read("LOGIN_TRIES", env.count)
LOGIN_TRIES_PER_ADDRESS = env.read("LOGIN_TRIES_PER_ADDRESS", env.count)
LOGIN_PAUSE_SECONDS = env.read("LOGIN_PAUSE_SECONDS", env.whole(86_400))
VISITORS_PER_HOUR = env.read("VISITORS_PER_HOUR", env.count)
READ_PAGE_HOSTS = env.read("READ_PAGE_HOSTS", lambda raw: parse_hosts(env.names(raw)))
EVENT_HOURS = env.read("EVENT_HOURS", env.whole(87_600))
DEFAULT_MODEL = env.read("DEFAULT_MODEL", env.optional(ModelName().from_text)) or "demo/mirror"
PROVIDERS = env.read("PROVIDERS", env.provider_protocols)
PROVIDER_HOSTS = env.read("PROVIDER_HOSTS", lambda raw: parse_hosts(env.names(raw)))
ENCRYPTION_KEYS = env.read("ENCRYPTION_KEYS", lambda raw: parse_secrets(env.names(raw)))
ONLY_LISTED_PROVIDERS = bool(env.read("MODEL_PROVIDERS", env.names))
MODEL_PROVIDERS = env.model_providers()
REASONING_TAGS = env.read("REASONING_TAGS", env.tagged_providers)
REASONING_OPENED = env.read("REASONING_OPENED", env.names)
FIRST_TOKEN_SECONDS = env.read("FIRST_TOKEN_SECONDS", env.whole(86_400))
BACKGROUND_ANSWERS = env.read("BACKGROUND_ANSWERS", env.boolean)
DEMO_WORDS_PER_SECOND = env.read("DEMO_WORDS_PER_SECOND", env.whole(1_000_000))
_ANONYMOUS = env.read("ANONYMOUS_CHAT", str)
API_DOCS = env.read("API_DOCS", env.boolean)
ANONYMOUS_CHAT = env.read("ANONYMOUS_CHAT", env.boolean) if _ANONYMOUS else MODE == "local"
CLIENT_SECONDS = env.read("CLIENT_SECONDS", env.whole(3_600))
TRUSTED_PROXIES = env.read("TRUSTED_PROXIES", proxies)
OWNERS_SEE_COST = env.read("OWNERS_SEE_COST", env.boolean)

HISTORY_CUSTOM_PROCESSORS = env.read("HISTORY_CUSTOM_PROCESSORS", env.dotted_paths)
HISTORY_CUSTOM_PRUNERS = env.read("HISTORY_CUSTOM_PRUNERS", env.dotted_paths)
expect_pruners(HISTORY_CUSTOM_PRUNERS)
HISTORY_TOKENIZERS = env.read("HISTORY_TOKENIZERS", env.dotted_paths)
CONTEXT_PROVIDERS = env.read("CONTEXT_PROVIDERS", env.dotted_paths)
HISTORY_ENVIRONMENT = env.history_layer()
HISTORY_CAPS = Caps(
    length=env.read("HISTORY_LENGTH_MAX", env.optional(LENGTH_CAP.from_text)),
    token_budget=env.read("HISTORY_TOKEN_BUDGET_MAX", env.optional(TOKEN_BUDGET_CAP.from_text)),
)
env.refuse_contradictions(HISTORY_ENVIRONMENT)
_WHO = env.one_of("everyone", "signed_in", "staff", "off")
HISTORY_URL_OVERRIDES = env.read("HISTORY_URL_OVERRIDES", _WHO)
