"""Serve the metrics on a port of their own, to which no proxy for the pages leads by mistake."""

import socket
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread

from chatapp.telemetry.prometheus import exposition, switch_off, switch_on

PATH = "/metrics"
SECONDS = 10  # How long a slow client may take, in seconds.
CANNOT = "METRICS_ADDRESS in the environment: cannot listen at {host}, port {port}: {why}. Each"
CANNOT += " process needs a port of its own."


class MetricsListener(ThreadingTCPServer):
    """Answers in threads of its own, until it is closed."""

    daemon_threads = allow_reuse_address = True

    def __init__(self, address: tuple[str, int], token: str = "") -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.token = token
        try:
            super().__init__(address, _Handler)
        except OSError as error:
            host, port = address
            why = CANNOT.format(host=host, port=port, why=error.strerror)
            raise OSError(why) from error
        self.registry = switch_on()
        Thread(target=self.serve_forever, name="metrics", daemon=True).start()

    def close(self) -> None:
        self.shutdown()
        self.server_close()
        switch_off()


class _Handler(BaseHTTPRequestHandler):
    server: MetricsListener
    timeout = SECONDS

    def do_GET(self) -> None:
        if self.path.partition("?")[0] != PATH:
            self.send_error(404)
        elif not self._is_admitted():
            self.send_error(401)
        else:
            self._show()

    def log_message(self, *args: object) -> None:
        """Log nothing, because the metrics are fetched every few seconds."""

    def _is_admitted(self) -> bool:
        header, token = self.headers.get("Authorization", ""), self.server.token
        return not token or compare_digest(header.encode(), f"Bearer {token}".encode())

    def _show(self) -> None:
        body, kind = exposition(self.server.registry, self.headers)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
