"""Search. Derived from the files, can be deleted at any time."""
