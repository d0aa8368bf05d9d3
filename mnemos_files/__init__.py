"""The memory of coding agents as markdown files in git."""

__version__ = "0.1.0"
