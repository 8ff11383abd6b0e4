"""Files, columns and cards: what every command and the app read."""
