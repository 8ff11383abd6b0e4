"""A corpus scored on a cluster: what the driver does, what the workers do, and what is sent to them."""
