"""When a provider that failed is asked once more."""

from dataclasses import dataclass, field

from chatapp.llm.errors import Kind, ProviderError

RETRIES = 2
LONGEST_PAUSE = 5.0  # Seconds; a person decides about a longer wait.


@dataclass(slots=True)
class Attempts:
    """How often the provider was asked, and the kind of each failure."""

    made: int = 0
    failures: list[str] = field(default_factory=list)

    def failed(self, error: ProviderError, first_pause: float) -> float | None:
        """Seconds until the next attempt; None where there is to be none."""
        self.failures.append(error.kind)
        wait = error.retry_after
        if self.made > RETRIES or (wait is not None and wait > LONGEST_PAUSE):
            return None
        if error.kind == Kind.RATE_LIMITED:
            return wait
        if error.kind in {Kind.UNREACHABLE, Kind.OVERLOADED}:
            return wait if wait is not None else first_pause * 2 ** (self.made - 1)
        return None
