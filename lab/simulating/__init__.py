"""What the statistics promise, tried on populations whose truth is known."""
