"""The report: notebooks run by papermill, their artifacts, pages and manifest."""
