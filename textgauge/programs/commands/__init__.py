"""The commands, one module each: what they take; the work is in the other folders."""
