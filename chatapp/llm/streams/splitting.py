"""Part bytes into lines as they come: a line ends at CR, LF or CRLF, and nowhere else."""

LONGEST = 2**24  # Bytes of one line, and of one event.
MARK = b"\xef\xbb\xbf"  # May stand before everything else.


class Splitter:
    """Feed it all pieces in order, then take the `rest`, which no end followed."""

    def __init__(self) -> None:
        self.rest = b""
        self._is_first = True

    def feed(self, piece: bytes) -> list[bytes]:
        """Return the lines that are whole now, without their ends. Raise ValueError if one is
        too long.
        """
        lines = (self.rest + piece).splitlines(keepends=True)
        # An end of CR may go on with LF.
        self.rest = lines.pop() if lines and not lines[-1].endswith(b"\n") else b""
        if len(self.rest) > LONGEST:
            raise ValueError("a line of a stream is too long")
        if lines and self._is_first:
            self._is_first = False
            lines[0] = lines[0].removeprefix(MARK)
        return [line.rstrip(b"\r\n") for line in lines]
