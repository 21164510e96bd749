"""Sockets open only from our own pages: the whole origin is compared, scheme and port too."""

from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from chatapp.server.early import Refusal

FOREIGN = Refusal(403, "forbidden", "Only this site's own pages may open a socket.")


class OwnOrigin:
    """In production the origin is PUBLIC_URL; locally it is the address the page came from."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        inner = self.application if is_own(origin, host) else FOREIGN
        return await inner(scope, receive, send)


def is_own(origin: str, host: str) -> bool:
    if settings.PUBLIC_URL:
        return origin == settings.PUBLIC_URL
    domain, _ = split_domain_port(host)
    return validate_host(domain, settings.ALLOWED_HOSTS) and origin == f"http://{host}"
