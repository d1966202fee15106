"""The models behind the views. A page's Python contains this package, but not the widgets."""
