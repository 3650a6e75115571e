"""What is shown by trying very many cases: small in ``make test``, in full in ``make prove``."""
