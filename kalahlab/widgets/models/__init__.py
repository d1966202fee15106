"""Models behind the views. A page's Python contains this package, but no widgets."""
