"""The platform: the rules, the harness, and one package for each service and tool that stands on them."""
