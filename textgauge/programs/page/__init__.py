"""The page that computes in the visitor's browser: page, worker, and the pinned runtime."""
