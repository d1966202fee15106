"""Notebook 02, the published study: its tables, its charts, and the sentences of its answer."""
