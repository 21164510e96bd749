"""The table of metrics. No label has texts, titles, people's names, or endlessly many values."""

from chatapp.telemetry.metric import Kind, Metric

COUNTER, GAUGE, HISTOGRAM = Kind.COUNTER, Kind.GAUGE, Kind.HISTOGRAM
BRIEF = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
PATIENT = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
LONG = (0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 40.0, 60.0, 120.0, 300.0, 600.0)

BUILD = Metric(GAUGE, "vitrine_build_info", "Always 1; its label is the version.", ("version",))
SOCKETS = Metric(GAUGE, "vitrine_sockets", "Open sockets, one for each tab.")
OPEN = Metric(
    GAUGE,
    "vitrine_answers_open",
    "Answers that this process writes now (running) or keeps in line (waiting).",
    ("state",),
)
ANSWERS = Metric(
    COUNTER,
    "vitrine_answers_total",
    "Answers that ended in this process, by status and, of failed ones, by the kind of failure.",
    ("status", "kind"),
)
ANSWER_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_answer_seconds",
    "Time from the beginning of an answer to its end, tools included.",
    buckets=LONG,
)
FIRST_TOKEN_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_first_token_seconds",
    "Time from a request to a provider to the first token of its answer.",
    ("model",),
    PATIENT,
)
REQUESTS = Metric(
    COUNTER,
    "vitrine_provider_requests_total",
    "Requests to providers, by outcome: ok, stopped, or the kind of failure; each retry counts.",
    ("model", "outcome"),
)
RETRIES = Metric(
    COUNTER,
    "vitrine_provider_retries_total",
    "Requests to providers that repeat one that failed.",
    ("model",),
)
TOKENS = Metric(
    COUNTER,
    "vitrine_tokens_total",
    "Tokens as providers report them: input, those of it that were cached, and output.",
    ("model", "type"),
)
COST = Metric(
    COUNTER,
    "vitrine_cost_dollars_total",
    "Cost of requests in US dollars, as far as prices are known.",
    ("model",),
)
TOOL_CALLS = Metric(
    COUNTER,
    "vitrine_tool_calls_total",
    "Calls of tools that came to an end, by outcome: ok or failed.",
    ("outcome",),
)
TOOL_SECONDS = Metric(HISTOGRAM, "vitrine_tool_seconds", "Time that a tool took.", buckets=LONG)
DATABASE_WAIT_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_database_wait_seconds",
    "Time that an answer's work waited for one of the threads for the database.",
    buckets=BRIEF,
)
DATABASE_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_database_seconds",
    "Time that an answer's work in such a thread took.",
    buckets=BRIEF,
)
POOL = Metric(
    GAUGE,
    "vitrine_database_pool_connections",
    "Connections of PostgreSQL's pool, idle or used; none with SQLite.",
    ("state",),
)
POOL_WAITING = Metric(
    GAUGE,
    "vitrine_database_pool_waiting",
    "How many wait for a connection of PostgreSQL's pool; 0 with SQLite.",
)
LAG_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_event_loop_lag_seconds",
    "How late the event loop comes to what is due, looked at twice a second.",
    buckets=BRIEF,
)
FLUSHES = Metric(
    COUNTER,
    "vitrine_event_log_flushes_total",
    "Transactions that write the events of running answers, by outcome: ok or failed.",
    ("outcome",),
)
FLUSH_SECONDS = Metric(
    HISTOGRAM,
    "vitrine_event_log_flush_seconds",
    "Time that such a transaction took, with its wait for a thread.",
    buckets=BRIEF,
)
EVENTS = Metric(
    COUNTER, "vitrine_event_log_events_total", "Events of running answers that were written."
)
BUS = Metric(
    COUNTER,
    "vitrine_bus_messages_total",
    "Messages between processes: sent, heard from others, lost while Redis was, or spared because "
    "no other process followed the chat.",
    ("outcome",),
)
JOBS = Metric(
    COUNTER,
    "vitrine_jobs_total",
    "Jobs of answers: stored, stored again because one was lost, begun, or without anything to do.",
    ("outcome",),
)
REFUSALS = Metric(
    COUNTER,
    "vitrine_refusals_total",
    "What was refused because a limit was used up, by limit.",
    ("limit",),
)

METRICS = tuple(value for value in tuple(globals().values()) if isinstance(value, Metric))
