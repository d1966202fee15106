"""Check that the exact solver finds 0 for each start of FairKalah under empty capture.

python data/make/check_fairkalah.py
"""

from kalahlab.games.rules import EMPTY_CAPTURE
from kalahlab.matches.openings import fairkalah_starts
from kalahlab.solver.exact_solver import open_solver

# Margins of 48 stones are even, so a value is 0 if it is at least 0 and not at least 2.
SMALLEST_LEAD = 2

if __name__ == "__main__":
    unfair = []
    starts = fairkalah_starts()
    with open_solver(6, EMPTY_CAPTURE, database_stones=18) as solver:
        for number, state in enumerate(starts, start=1):
            is_fair = solver.is_at_least(state, 0) and not solver.is_at_least(state, SMALLEST_LEAD)
            if not is_fair:
                unfair.append(number)
            if number % 10 == 0 or number == len(starts):
                print(f"{number} of {len(starts)}, not worth 0: {unfair or 'none'}", flush=True)
