"""What decides behind each view. A page's Python has this room, but no widgets."""
