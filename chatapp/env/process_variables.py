"""The rows on several processes in the table of environment variables."""

from chatapp.env.variable import Variable

PROCESSES = (
    Variable(
        "REDIS_URL",
        "",
        "redis://:password@host:6379/0. Lets several processes serve one PostgreSQL; needs the "
        "extra cluster. Empty: one process.",
        "The server",
        secret=True,
    ),
    Variable(
        "GENERATION_EXECUTOR",
        "inline",
        "inline: each server writes the answers that it is asked for. worker: processes started "
        "by manage.py worker write them; needs DATABASE_URL and REDIS_URL.",
        "The server",
    ),
    Variable(
        "STATEMENT_SECONDS",
        "15",
        "Time limit for one PostgreSQL statement of the running server.",
        "The server",
    ),
    Variable(
        "DRAIN_SECONDS",
        "0",
        "How long a server or worker that is stopped by SIGTERM waits for the answers that it "
        "writes.",
        "The server",
    ),
)
