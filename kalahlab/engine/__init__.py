"""The compiled twin of the textbook searches, and perfect play."""
