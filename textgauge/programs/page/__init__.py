"""The page that computes in the visitor's browser: page, worker, pinned runtime, stand-ins of what is not there."""
