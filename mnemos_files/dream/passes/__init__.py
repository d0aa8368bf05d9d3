"""The passes of a dream, a file for each."""
