"""Split bytes into lines as they come: a line ends at CR, LF or CRLF, and nowhere else."""

LONGEST = 2**26  # The most bytes of one line, and of one event.
MARK = b"\xef\xbb\xbf"  # UTF-8's byte order mark, which a stream may begin with.


class Splitter:
    """Splits pieces of bytes into lines. Feed it all pieces in order, then take the `rest`.

    The `rest` is a last line without a line end.
    """

    def __init__(self) -> None:
        self._held: list[bytes] = []
        self._size = 0
        self._is_first = True
        self._after_return = False  # The last byte was a CR, so an LF may follow.

    @property
    def rest(self) -> bytes:
        return b"".join(self._held)

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that are complete now, without line ends. Raise ValueError if one is too
        long.
        """
        if self._after_return:
            piece = piece.removeprefix(b"\n")
        self._after_return = piece.endswith(b"\r") or (self._after_return and not piece)
        lines = piece.splitlines(keepends=True)
        rest = lines.pop() if lines and not lines[-1].endswith((b"\n", b"\r")) else b""
        if lines:
            lines[0] = self._whole(lines[0])
        self._hold(rest)
        return [line.rstrip(b"\r\n") for line in lines]

    def _whole(self, line: bytes) -> bytes:
        whole = self.rest + line
        self._held.clear()
        self._size = 0
        if self._is_first:
            self._is_first = False
            whole = whole.removeprefix(MARK)
        return whole

    def _hold(self, rest: bytes) -> None:
        self._size += len(rest)
        if self._size > LONGEST:
            raise ValueError("a line of a stream is too long")
        if rest:
            self._held.append(rest)
