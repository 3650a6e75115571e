"""What it costs, side by side with yardsticks in the same run: ``make bench``. Not tests; nothing here passes or fails."""
