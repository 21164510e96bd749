"""Variables that prevent every start, and faults that prevent a start in network or production."""

from collections.abc import Mapping, Sequence

REFUSED = {  # Variables of other programs; no variable of Vitrine has the same meaning.
    "MAX_MULTIMODAL_MESSAGES": "not accepted, because it counts messages, and 0 of them is none; "
    "set HISTORY_IMAGES_KEEP instead, which counts images, and 0 of which is all"
}


def faults(
    mode: str, secret: str, public_url: str, hosts: Sequence[str], *, debug: bool
) -> Mapping[str, bool]:
    """Return each possible fault, with whether it is present; in local mode there are none."""
    if mode == "local":
        return {}
    of_mode = _of_production if mode == "production" else _of_network
    open_to_any = {"ALLOWED_HOSTS must not contain *": "*" in hosts, "DEBUG is true": debug}
    return {**of_mode(secret, public_url, hosts), **open_to_any}


def _of_production(secret: str, public_url: str, hosts: Sequence[str]) -> Mapping[str, bool]:
    is_short = len(secret) < 50
    return {
        "SECRET_KEY is missing or shorter than 50 characters": is_short,
        "SECRET_KEY has fewer than 10 different characters": not is_short and len(set(secret)) < 10,
        "PUBLIC_URL is missing": not public_url,
        "ALLOWED_HOSTS is missing": not hosts,
    }


def _of_network(secret: str, public_url: str, hosts: Sequence[str]) -> Mapping[str, bool]:
    sentence = "PUBLIC_URL is set, but a network is served under this machine's addresses"
    return {sentence: bool(public_url)}
