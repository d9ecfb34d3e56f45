"""The linked ruleset: what a stack of packs means, free of layout and of syntax.

This is the namespace of all forms; each class stands in its family, `dsl/forms`, with how it is
linked and printed. Diff, docs, explain, coverage, the compiler and the reference evaluator all work
on these classes. Names are resolved (ids are stable paths such as `civil_war.kept`), amendments are
applied, types are known. Every node keeps where it was written (`at`), which never counts for
equality or the content hash. Collections are tuples in declaration order.
"""

from ziggurat.dsl.forms.actions import *
from ziggurat.dsl.forms.advice import *
from ziggurat.dsl.forms.amendments import *
from ziggurat.dsl.forms.arithmetic import *
from ziggurat.dsl.forms.attributes import *
from ziggurat.dsl.forms.base import *
from ziggurat.dsl.forms.bundles import *
from ziggurat.dsl.forms.calls import *
from ziggurat.dsl.forms.cards import *
from ziggurat.dsl.forms.chance import *
from ziggurat.dsl.forms.clauses import *
from ziggurat.dsl.forms.core import *
from ziggurat.dsl.forms.covers import *
from ziggurat.dsl.forms.decisions import *
from ziggurat.dsl.forms.endings import *
from ziggurat.dsl.forms.equipment import *
from ziggurat.dsl.forms.expectations import *
from ziggurat.dsl.forms.flow import *
from ziggurat.dsl.forms.givens import *
from ziggurat.dsl.forms.harmless import *
from ziggurat.dsl.forms.holdings import *
from ziggurat.dsl.forms.kinds import *
from ziggurat.dsl.forms.logic import *
from ziggurat.dsl.forms.marks import *
from ziggurat.dsl.forms.names import *
from ziggurat.dsl.forms.onlookers import *
from ziggurat.dsl.forms.open_places import *
from ziggurat.dsl.forms.owning import *
from ziggurat.dsl.forms.phases import *
from ziggurat.dsl.forms.pieces import *
from ziggurat.dsl.forms.players import *
from ziggurat.dsl.forms.procedures import *
from ziggurat.dsl.forms.questions import *
from ziggurat.dsl.forms.requirements import *
from ziggurat.dsl.forms.ruleset import *
from ziggurat.dsl.forms.scenarios import *
from ziggurat.dsl.forms.scripts import *
from ziggurat.dsl.forms.sets import *
from ziggurat.dsl.forms.settings import *
from ziggurat.dsl.forms.speech import *
from ziggurat.dsl.forms.stages import *
from ziggurat.dsl.forms.values import *
from ziggurat.dsl.forms.wording import *
