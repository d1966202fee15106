"""The report: figures and tables as files, notebooks as pages.

`style` sets how figures look, `shelf` keeps what a notebook shows as files, and
`build` runs the notebooks and binds their pages. Each is imported by name, so that
importing this package loads neither matplotlib nor pandas.
"""
