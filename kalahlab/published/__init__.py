"""What the documents print: a program with each defect a named switch, figures, a homework."""
