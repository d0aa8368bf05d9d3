"""The only writer: files, history and index together."""
