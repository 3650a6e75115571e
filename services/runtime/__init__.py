"""The harness that every service starts with: settings, errors, logging, metrics, Redis, serving. Knows no service."""
