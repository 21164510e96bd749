"""Write docs/policies.md: what each history strategy sends, costs and forgets.

No model is called: plans are made for generated conversations, and the cache's hits are predicted.
"""

from bench import pictured, stable
from bench.outcomes import Outcome, run
from bench.recalled import RecallScore, recalled
from bench.strategies import PRICES, STRATEGIES
from bench.workloads import Workload, workloads
from chatapp import env

PAGE = env.ROOT / "docs" / "policies.md"


def main() -> None:
    parts = [INTRODUCTION]
    for workload in workloads():
        found = recalled(workload)
        outcomes = {each.name: run(each, workload, found.questions) for each in STRATEGIES}
        parts += [_heading(workload, found), _table(workload, outcomes)]
    parts += [*pictured.section(run), *stable.section()]
    PAGE.write_text("\n".join([*parts, LIMITS]), encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(env.ROOT)}.")


def _heading(workload: Workload, found: RecallScore) -> str:
    tokens = sum(message.tokens for message in workload.messages)
    return (
        f"## {workload.name.capitalize()}\n\n{workload.about.capitalize()}: "
        f"{len(workload.messages):,} messages, {tokens:,} tokens, "
        f"{len(workload.questions)} questions about earlier facts. Recall alone finds "
        f"{len(found.questions)} of them; its result has {found.tokens} tokens on average.\n"
    )


def _table(workload: Workload, outcomes: dict[str, Outcome]) -> str:
    head = [
        "strategy",
        "tokens sent",
        "of these read from cache",
        *PRICES,
        "fact sent",
        "in summary",
        "sent or recalled",
    ]
    rows = [head, ["---", *["--:"] * (len(head) - 1)]]
    asked = len(workload.questions)
    for name, outcome in outcomes.items():
        share = f"{100 * outcome.read / outcome.tokens:.0f}%"
        money = ["\N{EM DASH}" if m is None else f"${m:.2f}" for m in outcome.money.values()]
        counts = (outcome.answered, outcome.summarised, outcome.reached)
        shares = [_percent(count, asked) for count in counts]
        rows.append([name, f"{outcome.tokens:,}", share, *money, *shares])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f}%" if whole else "\N{EM DASH}"


INTRODUCTION = """\
# What each history setting costs, and what it forgets

Written by `make policies`; do not edit. No model was called for this.

Three generated conversations are planned, request by request, under every strategy, and a fourth,
with pictures, under the rules for these. The plans show
which messages each request sends, so tokens are exact (o200k), and which prefix it shares with the
previous request, so prompt cache hits can be predicted. Facts are planted ("berth 041 is 5517") and
asked for 2, 8, 25 and 60 turns later.

- **Read from cache**: the share of the tokens sent that the provider had just seen.
- **A, B, C**: dollars for the whole conversation, including answers, under three price models: A
  charges 1.25 for cache writes and 0.1 for reads ($3 and $15 per million), B charges nothing for
  writes and 0.1 for reads ($1.25 and $10), C charges 0.5 for reads ($2.50 and $10).
- **Fact sent**: questions whose fact was in the request, word for word.
- **In summary**: questions whose fact was in a summary that was sent. Extracts that keep every
  second first sentence replace a model's summaries.
- **Sent or recalled**: questions whose fact was in the request, or is found by the tool `recall` in
  one search for the words of the question ("berth 041") among the earlier messages, whether sent or
  not. This assumes that the model calls the tool. No column includes its cost: one more request,
  with the call and its result at the end.
"""

LIMITS = """\
## How to read this

- A window that moves at every turn (`lastN 20`) sends less than `all` and can still cost more: its
  prefix changes each time, so no turn reads the turn before it from the cache. The cache reads in
  the tables are from before the window began to move, or from later requests of a turn with tools.
  The same window moved in steps (`stride 10`) mostly costs less, and forgets less.
- The same is true of placeholders and token budgets: move them in steps.
- Hits are ideal. Providers forget early under load, count a little differently, and do not cache
  anything shorter than about a thousand tokens. Every gap here is short; after a long pause the
  cache is empty and the plain window is cheaper.
- With recall a short window forgets nothing that can be named, at the price of one more request
  when needed. It does not help with what nobody thinks to ask for, or asks for in other words.
- Sending every picture again is dear without a cache and cheap with one. Omitting them one by one
  breaks the prefix in every turn, and can cost more than sending them all: omit them in steps.
- "Sent" is not "used": models overlook what is in the middle of a long request, and a good summary
  keeps more than the extract used here. No table can say what a fact is worth.
"""

if __name__ == "__main__":
    main()
