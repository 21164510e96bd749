"""The table of environment variables: each with its default and its meaning.

`chatapp.env` reads them; `manage.py env_example` prints the table as `.env.example`.
"""

from dataclasses import dataclass

from history.core.settings.table import SETTINGS, SettingSpec


@dataclass(frozen=True, slots=True)
class Variable:
    """One environment variable. `default` is the text that `.env.example` shows."""

    name: str
    default: str
    help: str
    group: str
    secret: bool = False  # No error shows its value.
    local: str | None = None  # The default in local mode, where it differs.


def limit(name: str, default: str, help: str, local: str | None = None) -> Variable:  # noqa: A002 -- as the field
    return Variable(name, default, help, "Limits", local=local)


def _history_help(spec: SettingSpec, name: str) -> str:
    if name != spec.environment[0]:
        return f"An older spelling of {spec.environment[0]}."
    return f"{spec.help} Where no layer sets it: {spec.shown(spec.default)}."


# Providers with an address of their own, which no model's name can change.
CLOUD = (
    *("openai", "anthropic", "gemini", "mistral", "codestral", "cohere", "cohere_chat", "groq"),
    *("openrouter", "deepseek", "xai", "zai", "moonshot", "minimax", "dashscope", "together_ai"),
    *("fireworks_ai", "deepinfra", "perplexity", "cerebras", "sambanova", "nvidia_nim"),
)

VARIABLES: tuple[Variable, ...] = (
    Variable("DJANGO_ENV", "local", "local or production.", "The server"),
    Variable("DEBUG", "false", "Django's debug pages. Refused in production.", "The server"),
    Variable("SECRET_KEY", "", "Local mode makes one and keeps it in var/.", "The server"),
    Variable("PUBLIC_URL", "", "Where people reach Vitrine; needed in production.", "The server"),
    Variable("ALLOWED_HOSTS", "", "Host names, with commas; needed in production.", "The server"),
    Variable("DATA_DIR", "var", "The folder of the database and the secret key.", "The server"),
    Variable(
        "DATABASE_URL",
        "",
        "postgresql://user:password@host:5432/name. Empty: SQLite in DATA_DIR.",
        "The server",
        secret=True,
    ),
    Variable(
        "STATEMENT_SECONDS",
        "15",
        "How long PostgreSQL may take for one statement of the running server.",
        "The server",
    ),
    Variable(
        "ENV_FILE",
        ".env",
        "The file these are read from; /dev/null for none. Not read from the file itself.",
        "The server",
    ),
    Variable("LOG_LEVEL", "INFO", "DEBUG shows what each turn trimmed.", "The server"),
    Variable(
        "ANONYMOUS_CHAT",
        "",
        "Chat without signing in, bound to the browser. Default: true in local mode only.",
        "The server",
    ),
    Variable(
        "TRUSTED_PROXIES",
        "",
        "Proxies whose X-Forwarded-For is believed: addresses and networks, with commas; unix for "
        "those that connect through a unix socket. Behind any other, all people have one address.",
        "The server",
    ),
    Variable(
        "EMAIL_URL",
        "",
        "smtp://user:password@host:587, smtps:// or smtp+plain://. Sends links for new passwords.",
        "The server",
        secret=True,
    ),
    Variable("EMAIL_FROM", "vitrine@localhost", "The sender of those mails.", "The server"),
    Variable("SESSION_DAYS", "90", "How many days a sign-in lasts.", "The server"),
    Variable("SESSION_IDLE_DAYS", "14", "How many days it lasts without a visit.", "The server"),
    Variable("API_DOCS", "false", "Show the API's page, /api/docs.", "The server", local="true"),
    Variable("OWNERS_SEE_COST", "true", "People see what their own chats cost.", "The server"),
    limit(
        "CLIENT_SECONDS",
        "10",
        "How long a client may take for the head of a request; twice as long it may be silent in "
        "a body or leave a ping unanswered, twelve times as long a body may take.",
    ),
    limit("MAX_MESSAGE_BYTES", "1048576", "The longest message, in UTF-8 bytes."),
    limit("MAX_ANSWER_BYTES", "1048576", "The longest answer, in UTF-8 bytes."),
    limit("TOOL_ROUNDS", "16", "Most requests in one generation."),
    limit("HAND_OVERS", "5", "Most hand-overs between agents in one answer."),
    limit("DELEGATIONS", "8", "Most tasks that one answer may hand to others."),
    limit("DELEGATION_DEPTH", "2", "How often a task may be handed on."),
    limit("DELEGATION_SECONDS", "300", "How long an asked agent may take."),
    limit("READ_PAGE_HOSTS", "", "Hosts, with commas, whose pages tools may read."),
    limit("EVENT_HOURS", "24", "How long a generation's event log is kept."),
    limit(
        "SENDS_PER_MINUTE",
        "30",
        "Most messages, retries and continuations of one person in a minute. 0: no limit.",
        local="600",
    ),
    limit(
        "SENDS_PER_MINUTE_PER_ADDRESS",
        "120",
        "The same for all who come from one address. 0: no limit.",
        local="0",
    ),
    limit(
        "OPEN_ANSWERS",
        "50",
        "How many answers are written at once; further ones wait their turn. 0: no limit.",
    ),
    limit(
        "OPEN_ANSWERS_PER_PERSON",
        "10",
        "Most answers of one person that are being written or wait their turn. 0: no limit.",
        local="200",
    ),
    limit(
        "BYTES_PER_DAY",
        "50000000",
        "Most text that one person stores in a day, in UTF-8 bytes, answers too. 0: no limit.",
        local="0",
    ),
    limit(
        "TOKENS_PER_DAY",
        "5000000",
        "Most tokens that one person's requests take in a day, sent and answered. 0: no limit.",
        local="0",
    ),
    limit(
        "SOCKETS_PER_PERSON",
        "30",
        "Most open tabs of one person. 0: no limit.",
        local="200",
    ),
    limit(
        "SOCKETS_PER_ADDRESS",
        "200",
        "Most open tabs of all who come from one address. 0: no limit.",
        local="0",
    ),
    limit(
        "SOCKETS_PER_MINUTE",
        "300",
        "Most tabs that are opened in a minute from one address. 0: no limit.",
        local="0",
    ),
    limit(
        "FRAMES_PER_SECOND",
        "50",
        "Most frames that a tab sends in a second. 0: no limit.",
        local="500",
    ),
    limit(
        "LOGIN_TRIES",
        "5",
        "Wrong passwords for a name from one address before pauses begin. 0: no pauses.",
    ),
    limit("LOGIN_TRIES_PER_ADDRESS", "20", "The same for all names together."),
    limit("LOGIN_PAUSE_SECONDS", "60", "The longest of these pauses: 1, 2, 4 ..."),
    limit("PASSWORD_RESET_HOURS", "24", "How long a link for a new password works."),
    limit(
        "VISITORS_PER_HOUR",
        "60",
        "Most new visitors without an account from one address in an hour. 0: no limit.",
        local="0",
    ),
    Variable("DEFAULT_MODEL", "", "For agents that name none. Empty: demo/mirror.", "Models"),
    Variable(
        "MODEL_PROVIDERS",
        "",
        "Providers whose models may be asked, as litellm names them, with commas. Empty: those of "
        f"{', '.join(CLOUD)}, and each whose ..._API_BASE is set.",
        "Models",
    ),
    Variable("OPENAI_API_KEY", "", "For OpenAI's models.", "Models"),
    Variable("OPENAI_API_BASE", "", "Another address that speaks OpenAI's protocol.", "Models"),
    Variable("ANTHROPIC_API_KEY", "", "For Anthropic's models.", "Models"),
    Variable("GEMINI_API_KEY", "", "For Google's models.", "Models"),
    Variable("MISTRAL_API_KEY", "", "For Mistral's models.", "Models"),
    Variable("OLLAMA_API_BASE", "", "A local Ollama; models are ollama_chat/NAME.", "Models"),
    Variable("FIRST_TOKEN_SECONDS", "60", "How long to wait for a model's first word.", "Models"),
    Variable("DEMO_WORDS_PER_SECOND", "60", "How fast the offline model writes.", "Models"),
    Variable(
        "HISTORY_URL_OVERRIDES",
        "everyone",
        "Whose URL and conversation settings count: everyone, signed_in, staff or off.",
        "History",
    ),
    Variable(
        "HISTORY_LENGTH_MAX",
        "",
        "Most user messages that any other layer gets; its policy all then acts as lastN. "
        "1 to 10,000. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_TOKEN_BUDGET_MAX",
        "",
        "The largest token budget that any other layer gets, 256 and up. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PROCESSORS",
        "",
        "Processors of your own: name=package.module.factory, several with commas.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PRUNERS",
        "",
        "Pruners of your own: name=package.module.function, several with commas.",
        "History",
    ),
    Variable(
        "HISTORY_TOKENIZERS",
        "",
        "Token counters of your own, from a text to a number: "
        "model-pattern=package.module.function, several with commas. A * is any text.",
        "History",
    ),
    Variable(
        "CONTEXT_PROVIDERS",
        "",
        "Functions of your own that give agents a text for each turn: "
        "name=package.module.function, several with commas.",
        "History",
    ),
    *(
        Variable(name, "", _history_help(spec, name), "History")
        for spec in SETTINGS
        for name in spec.environment
    ),
)
