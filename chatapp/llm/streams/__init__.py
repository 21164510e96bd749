"""Streams of providers: split into lines, mended for libraries, and counted."""
