"""The WebSocket of a tab: commands come in, frames go out."""
