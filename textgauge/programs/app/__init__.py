"""What a server computes for visitors: processes within limits, a page for this machine, and the Space of gradio."""
