"""Load on the platform, and the proof from its records that nothing went wrong."""
