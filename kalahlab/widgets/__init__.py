"""What is moved by hand: Python decides, JavaScript draws.

A widget is an anywidget: one file of Python, and JavaScript that a person can read, joined
without a build step. The same JavaScript works in a page without a kernel (`page`).
"""
