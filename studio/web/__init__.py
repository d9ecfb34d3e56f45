"""`ziggurat serve`: tables in the browser. Front ends know decisions, not games; so does this."""
