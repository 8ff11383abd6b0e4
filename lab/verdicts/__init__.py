"""How check_verdicts makes comparisons, and reads the sentences of their verdicts."""
