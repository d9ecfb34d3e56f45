"""Languages and their plural forms, as Unicode lists them.

Only the command that makes catalogues needs this: Babel, which has the lists, is a large package
and comes with the extra `translate`.
"""

from babel.core import Locale, UnknownLocaleError
from babel.messages.plurals import get_plural

from ziggurat.dsl.translating.catalogue import BadCatalogue, Translation


def language_of(name: str) -> str:
    """Return the code of a language. Raise `BadCatalogue` if there is no such language."""
    try:
        return str(Locale.parse(name.replace("-", "_")))
    except (ValueError, UnknownLocaleError) as error:
        raise BadCatalogue(
            f"`{name}` is not a language: write its code, as in `de` or `pt_BR`."
        ) from error


def fresh_translation(language: str) -> Translation:
    """Return an empty catalogue for a language."""
    forms = get_plural(Locale.parse(language))
    return Translation("", language, forms.plural_expr, forms.num_plurals)
