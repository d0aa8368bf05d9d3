"""Files on disk: safe names, atomic writes, one writer at a time, news of changes."""
