"""The engine: who was first. gRPC in, one Redis script out."""
