"""`ziggurat explain`: the page of a finding's code, or where a number of a game comes from."""

import importlib
import importlib.util

from rich.markdown import Markdown

from dsl.codes import CODE, all_codes, page
from studio.console import OK, UsageError, console

VALUES = "studio.commands.explain_value"


def explain(subject: str = "", /) -> int:
    """Explain a code such as Z201 with a wrong and a right example; without one, list all codes.

    Parameters
    ----------
    subject
        The code of a finding, as in `error[Z201]`.
    """
    if not subject:
        return _list_codes()
    if CODE.fullmatch(subject.upper()):
        return _explain_code(subject.upper())
    if importlib.util.find_spec(VALUES) is None:
        raise UsageError(f"`{subject}` is not the code of a finding; codes look like Z201.")
    code: int = importlib.import_module(VALUES).explain_value(subject)
    return code


def _explain_code(code: str) -> int:
    found = page(code)
    if found is None:
        near = [known for known in all_codes() if known[:2] == code[:2]]
        among = f" Codes near it: {', '.join(near[:12])}." if near else ""
        raise UsageError(f"there is no finding with the code {code}.{among}")
    console().print(Markdown(found.markdown))
    return OK


def _list_codes() -> int:
    out = console()
    for code in all_codes():
        found = page(code)
        out.print(f"{code}  {found.title if found else ''}", markup=False)
    return OK
