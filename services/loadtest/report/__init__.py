"""A run as one self-contained page: charts drawn here, no script, nothing loaded from anywhere."""

from services.loadtest.report.page import write

__all__ = ["write"]
