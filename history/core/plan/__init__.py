"""The record of a projection, and what it is compared with."""
