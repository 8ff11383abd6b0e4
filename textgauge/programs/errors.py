"""The error for bad input; in a Space or a page, core/errors.py itself takes the place of this file."""

from textgauge.core.errors import InputError as InputError
from textgauge.core.errors import input_errors_of as input_errors_of
from textgauge.core.errors import is_bad_input as is_bad_input
from textgauge.core.errors import is_input_error as is_input_error
