"""The report: figures and tables as files, notebooks as pages.

`draw.style` sets how figures look, `draw.artifacts` keeps what a notebook shows as files, and
`build.build` runs the notebooks and binds their pages. Each is imported by name, so that
importing this package loads neither matplotlib nor pandas.
"""
