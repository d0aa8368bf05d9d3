"""A change to the vault, read like an editor: what memories say now, who says so, what is wrong."""
