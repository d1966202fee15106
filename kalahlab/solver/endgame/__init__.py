"""The endgame database: every position with few stones, solved backwards and stored on disk."""
