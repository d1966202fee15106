"""Widgets: Python decides, JavaScript draws, in a notebook or in a page without a kernel."""
