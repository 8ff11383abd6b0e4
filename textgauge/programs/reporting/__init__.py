"""Pages of HTML: the reports, the page of a static Space, and all templates."""
