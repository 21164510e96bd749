"""What an operator's programs are told: metrics for Prometheus, spans for OpenTelemetry."""
