"""Python processes of the tests collect garbage less often, which took a tenth of their imports."""

import gc

gc.set_threshold(50_000, 20, 20)
