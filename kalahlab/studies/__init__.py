"""One module a notebook, under its number and name: rows to its tables, figures and captions."""
