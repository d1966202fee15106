"""Boards, trees, tables and charts that several studies share."""
