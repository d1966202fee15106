"""What the five source documents claim, and what becomes of each claim when it is judged."""

from kalahlab.claims.verdicts import claim, claims

__all__ = ["claim", "claims"]
