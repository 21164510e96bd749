"""Browser tests of the staff's overview."""
