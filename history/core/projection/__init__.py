"""From a transcript and settings to what is sent."""
