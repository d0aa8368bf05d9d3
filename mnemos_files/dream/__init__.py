"""Passes over the whole vault that tidy it up while nobody waits; no model, nothing by chance."""
