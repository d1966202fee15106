"""The check of a student's own program: is it right, and if not, which known mistake has it?"""

from kalahlab.classroom.program_check.check import check_program
from kalahlab.classroom.program_check.report import ProgramReport
