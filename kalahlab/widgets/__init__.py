"""What is moved by hand: Python decides, JavaScript draws.

A widget is an anywidget: a folder of Python, and of JavaScript, of which `bundles/` has one file a
widget; `shared/` has what both need. The same JavaScript works in a page without a kernel (`page`).
"""
