"""The public address, and the pages that may open a socket: only those that came from it.

The whole origin is compared, including scheme and port.
"""

import logging
from time import monotonic
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.translation import gettext_lazy as _

from chatapp.server import lan
from chatapp.server.early import Refusal

logger = logging.getLogger(__name__)
QUIET_SECONDS = 60
LONGEST = 200  # How many characters of a foreign origin the log shows.
FOREIGN = Refusal(403, "forbidden", _("Only this site's own pages may open a socket."))


class OwnOrigin:
    """Lets only pages of PUBLIC_URL open a socket or, if that is not set, only pages of the address
    at which the socket is requested.
    """

    def __init__(self, application: Any) -> None:
        self.application = application
        self._said = -float(QUIET_SECONDS)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> Any:
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if is_own(origin, host):
            return await self.application(scope, receive, send)
        self._say(origin)
        return await FOREIGN(scope, receive, send)

    def _say(self, origin: str) -> None:
        """Log the origin, because the browser is told nothing. Log at most once a minute, because
        anybody may try.
        """
        if monotonic() - self._said < QUIET_SECONDS:
            return
        self._said = monotonic()
        came = ascii(origin)[1:-1][:LONGEST] or "nowhere"
        own = (
            f"PUBLIC_URL is {settings.PUBLIC_URL}"
            if settings.PUBLIC_URL
            else "only this site's pages may"
        )
        logger.warning("A socket was refused: it came from %s, and %s.", came, own)


def is_own(origin: str, host: str) -> bool:
    if settings.PUBLIC_URL:
        return origin == settings.PUBLIC_URL
    domain, _port = split_domain_port(host)
    return validate_host(domain, settings.ALLOWED_HOSTS) and origin == f"http://{host}"


def public_address(host: str, port: int, origin: str = "") -> str:
    """Return PUBLIC_URL, or else the visitor's origin, or else the address that a browser on this
    machine or in its network opens.
    """
    public_host = f"[{host}]" if ":" in host else lan.reached_at(host)
    return settings.PUBLIC_URL or origin or f"http://{public_host}:{port}"
