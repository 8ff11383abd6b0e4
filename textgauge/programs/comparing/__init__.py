"""Systems compared with one another: paired tests, intervals, the verdict in words, gates."""
