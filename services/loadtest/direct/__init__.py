"""Load straight at the engines: gRPC for commands and readiness, Redis for events, no gateway and no sockets.

A seat plays as in any other run; only its line (``line``) is another one, which does for it what a gateway would, as
cheaply as can be. So what is measured is engine, Redis and the wire between.
"""
