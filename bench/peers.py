"""Measure how long other libraries take to trim a list of messages to a token limit."""

from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, trim_messages
from litellm.utils import trim_messages as litellm_trim_messages
from llama_index.core.llms import ChatMessage
from llama_index.core.memory import ChatMemoryBuffer

from bench.tables import median_ms, milliseconds, print_table
from bench.texts import ANSWER, QUESTION
from history.tokens import count_message, count_text

LENGTHS = (100, 1_000, 10_000, 100_000)
BUDGET = 8_000
MOST = {"litellm": 10_000, "llama-index": 1_000}  # Longer conversations take minutes.


def main() -> None:
    measured = {"langchain-core": langchain, "litellm": litellm, "llama-index": llama_index}
    rows = []
    for name, trim in measured.items():
        most = MOST.get(name, LENGTHS[-1])
        rows.append([name, *(milliseconds(trim(n) if n <= most else None) for n in LENGTHS)])
    head = [f"a list trimmed to {BUDGET:,} tokens", *(f"{length:,}" for length in LENGTHS)]
    print_table("What others take to trim, by messages in memory", head, rows)


def langchain(length: int) -> float:
    pair: list[BaseMessage] = [HumanMessage(QUESTION), AIMessage(ANSWER)]
    messages = pair * (length // 2)

    def trim() -> object:
        return trim_messages(
            messages,
            max_tokens=BUDGET,
            strategy="last",
            token_counter=lambda found: sum(count_message(m.type, str(m.content)) for m in found),
            start_on="human",
        )

    return median_ms(trim, _runs(length))


def litellm(length: int) -> float:
    pair = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]
    messages: list[dict[str, Any]] = pair * (length // 2)
    return median_ms(
        lambda: litellm_trim_messages(list(messages), model="gpt-4o", max_tokens=BUDGET),
        _runs(length),
    )


def llama_index(length: int) -> float:
    pair = [
        ChatMessage(role="user", content=QUESTION),
        ChatMessage(role="assistant", content=ANSWER),
    ]
    memory = ChatMemoryBuffer.from_defaults(
        chat_history=pair * (length // 2),
        token_limit=BUDGET,
        tokenizer_fn=lambda text: [0] * count_text(text),
    )
    return median_ms(memory.get, _runs(length))


def _runs(length: int) -> int:
    return 5 if length <= 100 else 3 if length <= 1_000 else 1


if __name__ == "__main__":
    main()
