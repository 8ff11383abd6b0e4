"""Self-contained folders of metrics, made, checked and uploaded; results on a model's page."""
