"""Providers' streams: their bytes are split into lines, mended for libraries, and counted."""
