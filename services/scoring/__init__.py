"""Scoring: finished hands in; matches, histories and totals out."""
