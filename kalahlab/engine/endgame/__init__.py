"""Every position with few stones, solved backwards and kept on disk."""
