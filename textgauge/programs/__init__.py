"""What the commands are made of: files read, metrics run, systems compared, and what is printed, drawn and published.

Start with commands/.
"""
