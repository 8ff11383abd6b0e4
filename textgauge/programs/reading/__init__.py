"""Files, columns, cards and options as text: what every command and the app read."""
