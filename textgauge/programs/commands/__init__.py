"""The commands, a module each: what it takes. Of two the work is beside them, and else in the other folders."""
