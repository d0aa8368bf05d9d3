"""The monitors: one file each, one row each in `table.MONITORS`."""
