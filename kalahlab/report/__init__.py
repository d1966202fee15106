"""Building the report: papermill, pages, manifest, index."""
