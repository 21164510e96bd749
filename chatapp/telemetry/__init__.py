"""Telemetry for an operator's programs: metrics for Prometheus, spans for OpenTelemetry."""
