"""What is moved by hand: Python decides, JavaScript draws.

A widget is an anywidget: a folder of Python, and of JavaScript that a person can read, joined
without a build step; `shared/` has what both widgets need of it. The same JavaScript works in a
page without a kernel (`page`).
"""
