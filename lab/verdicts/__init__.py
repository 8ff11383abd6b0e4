"""How check_verdicts makes comparisons, and reads what is said of them."""
