"""The table of environment variables: each with its default and its meaning.

`chatapp.env` reads them; `manage.py env_example` prints the table as `.env.example`.
"""

from chatapp.env.file_variables import FILES, STORAGE
from chatapp.env.model_variables import MODEL_VARIABLES
from chatapp.env.process_variables import PROCESSES
from chatapp.env.telemetry_variables import TELEMETRY
from chatapp.env.variable import Variable, history_help, limit
from history.core.settings.caps import LENGTH_CAP, TOKEN_BUDGET_CAP
from history.core.settings.table import SETTINGS

VARIABLES: tuple[Variable, ...] = (
    Variable(
        "DJANGO_ENV",
        "local",
        "local (this machine), lan (a trusted network: make run LAN=1) or production.",
        "The server",
    ),
    Variable("DEBUG", "false", "Django's debug pages. Refused in production.", "The server"),
    Variable(
        "SECRET_KEY",
        "",
        "Required in production. Local mode creates one and keeps it in DATA_DIR.",
        "The server",
    ),
    Variable(
        "PUBLIC_URL", "", "The public address of Vitrine. Required in production.", "The server"
    ),
    Variable(
        "ALLOWED_HOSTS",
        "",
        "Host names, separated by commas. Required in production.",
        "The server",
    ),
    Variable("DATA_DIR", "var", "The folder for the database and the secret key.", "The server"),
    Variable(
        "DATABASE_URL",
        "",
        "postgresql://user:password@host:5432/name. Empty: SQLite in DATA_DIR.",
        "The server",
        secret=True,
    ),
    *PROCESSES,
    *STORAGE,
    Variable(
        "ENV_FILE",
        ".env",
        "The file to read variables from; /dev/null for none. Ignored inside the file itself.",
        "The server",
    ),
    Variable("LOG_LEVEL", "INFO", "DEBUG logs what each turn trimmed.", "The server"),
    Variable("LOG_FORMAT", "text", "json logs one JSON object per line.", "The server"),
    *TELEMETRY,
    Variable(
        "ANONYMOUS_CHAT",
        "",
        "Allow chatting without signing in; chats belong to the browser. Default: true in local "
        "mode only.",
        "The server",
    ),
    Variable(
        "TRUSTED_PROXIES",
        "",
        "Proxies whose X-Forwarded-For is trusted: addresses and networks, separated by commas; "
        "unix for proxies on a unix socket. Behind any other proxy, everyone has its address. "
        "Whoever sends from a network named here chooses their own address: name no more than the "
        "proxies.",
        "The server",
    ),
    Variable(
        "EMAIL_URL",
        "",
        "smtp://user:password@host:587, smtps:// or smtp+plain://. Sends password reset links.",
        "The server",
        secret=True,
    ),
    Variable("EMAIL_FROM", "vitrine@localhost", "The sender of these emails.", "The server"),
    Variable("SESSION_DAYS", "90", "Days until a sign-in expires.", "The server"),
    Variable(
        "SESSION_IDLE_DAYS", "14", "Days without a visit until a sign-in expires.", "The server"
    ),
    Variable(
        "API_DOCS", "false", "Show the API documentation at /api/docs.", "The server", local="true"
    ),
    Variable(
        "IMPORTS", "true", "Let people import chats from files of other programs.", "The server"
    ),
    Variable("OWNERS_SEE_COST", "true", "Show people what their own chats cost.", "The server"),
    limit(
        "CLIENT_SECONDS",
        "10",
        "Time limit for a client to send the headers of a request. The limit for silence within "
        "a body, or after a ping, is twice as long; for a whole body, twelve times.",
    ),
    limit("MAX_MESSAGE_BYTES", "1048576", "Maximum length of a message, in UTF-8 bytes."),
    *FILES,
    limit("MAX_ANSWER_BYTES", "1048576", "Maximum length of an answer, in UTF-8 bytes."),
    limit("TOOL_ROUNDS", "16", "Maximum requests to the model per answer."),
    limit("HAND_OVERS", "5", "Maximum hand-overs between agents per answer."),
    limit("DELEGATIONS", "8", "Maximum tasks delegated per answer."),
    limit("DELEGATION_DEPTH", "2", "How many levels deep tasks may be delegated."),
    limit("DELEGATION_SECONDS", "300", "Time limit for a delegated task."),
    limit("READ_PAGE_HOSTS", "", "Hosts whose pages tools may read, separated by commas."),
    limit("EVENT_HOURS", "24", "How long the event log of an answer is kept."),
    limit(
        "SENDS_PER_MINUTE",
        "30",
        "Maximum messages, retries and continuations per person and minute. 0: no limit.",
        local="600",
    ),
    limit(
        "SENDS_PER_MINUTE_PER_ADDRESS",
        "120",
        "The same per address. 0: no limit.",
        local="0",
    ),
    limit(
        "OPEN_ANSWERS",
        "50",
        "Maximum answers written at once; further ones wait in a queue. 0: no limit.",
    ),
    limit(
        "OPEN_ANSWERS_PER_PERSON",
        "10",
        "Maximum answers per person being written or in the queue. 0: no limit.",
        local="200",
    ),
    limit(
        "BYTES_PER_DAY",
        "50000000",
        "Maximum text stored per person and day, in UTF-8 bytes, answers and reasoning included."
        " 0: no limit.",
        local="0",
    ),
    limit(
        "TOKENS_PER_DAY",
        "5000000",
        "Maximum tokens per person and day, sent and received. 0: no limit.",
        local="0",
    ),
    limit(
        "SOCKETS_PER_PERSON",
        "30",
        "Maximum open tabs per person. 0: no limit.",
        local="200",
    ),
    limit(
        "SOCKETS_PER_ADDRESS",
        "200",
        "Maximum open tabs per address. 0: no limit.",
        local="0",
    ),
    limit(
        "SOCKETS_PER_MINUTE",
        "300",
        "Maximum tabs opened per address and minute. 0: no limit.",
        local="0",
    ),
    limit(
        "FRAMES_PER_SECOND",
        "50",
        "Maximum frames per tab and second. 0: no limit.",
        local="500",
    ),
    limit(
        "LOGIN_TRIES",
        "5",
        "Wrong passwords per name and address before pauses start. 0: no pauses.",
    ),
    limit("LOGIN_TRIES_PER_ADDRESS", "20", "The same for all names from one address."),
    limit("LOGIN_PAUSE_SECONDS", "60", "Maximum length of these pauses, which double: 1, 2, 4 ..."),
    limit("PASSWORD_RESET_HOURS", "24", "How long a password reset link is valid."),
    limit(
        "VISITORS_PER_HOUR",
        "60",
        "Maximum new visitors without an account per address and hour. 0: no limit.",
        local="0",
    ),
    *MODEL_VARIABLES,
    Variable(
        "HISTORY_URL_OVERRIDES",
        "everyone",
        "Who may change settings by URL and per chat: everyone, signed_in, staff or off.",
        "History",
    ),
    Variable(
        "HISTORY_LENGTH_MAX",
        "",
        "The most turns that other layers may have sent, their steps included; policy all then "
        f"becomes lastN. {LENGTH_CAP.bounds}. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_TOKEN_BUDGET_MAX",
        "",
        f"Maximum token budget for all other layers. {TOKEN_BUDGET_CAP.bounds}. Empty: no cap.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PROCESSORS",
        "",
        "Your own processors: name=package.module.factory, separated by commas.",
        "History",
    ),
    Variable(
        "HISTORY_CUSTOM_PRUNERS",
        "",
        "Your own pruners: name=package.module.function, separated by commas.",
        "History",
    ),
    Variable(
        "HISTORY_TOKENIZERS",
        "",
        "Your own token counters, functions from text to a number: "
        "model-pattern=package.module.function, separated by commas. * matches any text.",
        "History",
    ),
    Variable(
        "CONTEXT_PROVIDERS",
        "",
        "Your own functions that give agents a text for each turn: "
        "name=package.module.function, separated by commas.",
        "History",
    ),
    *(
        Variable(name, "", history_help(spec, name), "History")
        for spec in SETTINGS
        for name in spec.environment
    ),
)
