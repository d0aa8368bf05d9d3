"""Record to markdown and back. Pure."""
