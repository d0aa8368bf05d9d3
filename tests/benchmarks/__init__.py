"""Measurements against named baselines: `python -m tests.benchmarks NAME`."""
