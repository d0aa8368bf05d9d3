"""Memories that deserve a second thought: found by monitors, judged by an agent or a person."""
