"""Presenters: from stored rows to what a template shows. They read; they change nothing."""
