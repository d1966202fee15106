"""The printed programs as printed, each defect a named switch, and what they printed."""
