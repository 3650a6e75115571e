"""What it costs, beside yardsticks in the same run: ``make bench``. Not tests: nothing here passes or fails."""
