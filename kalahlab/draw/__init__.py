"""Pictures of boards and search trees as SVG, and the style of charts."""
