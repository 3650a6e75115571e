"""Lighthouse looks at views of the page: ``python -m tests.web.audit``. Installed here, and only when asked for."""
