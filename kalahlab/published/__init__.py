"""Programs and figures of published documents, with a named switch for each defect."""
