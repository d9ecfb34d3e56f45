"""The kernel: what every form of the rules is and means, and what runs them.

It imports nothing else of Ziggurat and touches no files and no clocks. Read it in this order:

1. `nodes`, `description`, `forms/core`: what nodes have in common, and what each says of itself;
2. `evaluator`, `steps`, and a family of `forms` or two: what expressions and statements mean;
3. `table`, `layout`, `state`, `randomness`, `errors`: positions as numbers;
4. `requests`, `actions`: what a step asks, and what players may do;
5. `frames`, `stages`, `scheduler`, `position`: which step comes next;
6. `ruleset`, `walking`, `bodies`: all rules of a stack, and going through them;
7. `signatures`, `walker`, `program`: rules as functions, as the scheduler calls them.
"""

from ziggurat.runtime.kernel.nodes import At, Body, Cite, Expr, Meta, NOWHERE, NO_META, Stmt, Type
from ziggurat.runtime.kernel import forms
from ziggurat.runtime.kernel.forms.actions import Action, ActionParam
from ziggurat.runtime.kernel.forms.advice import Advice, Preference
from ziggurat.runtime.kernel.forms.amendments import Amendment
from ziggurat.runtime.kernel.forms.attributes import Assign, AttrOf, FieldOf
from ziggurat.runtime.kernel.forms.bundles import (
    Begin,
    Bundle,
    BundleField,
    Clear,
    GivenField,
    bundle_of,
)
from ziggurat.runtime.kernel.forms.calls import BodyResult, Do, DoBody, Result, ValueCall
from ziggurat.runtime.kernel.forms.cards import PileRef, Put, Shuffle
from ziggurat.runtime.kernel.forms.chance import Pick
from ziggurat.runtime.kernel.forms.clauses import Contribution, RANK, Trigger
from ziggurat.runtime.kernel.forms.core import (
    Lit,
    Local,
    Loop,
    Op,
    OrderRef,
    OwnerRef,
    Param,
    ThingRef,
)
from ziggurat.runtime.kernel.forms.covers import Cover
from ziggurat.runtime.kernel.forms.decisions import Choose, Divide, May, Select, Wish
from ziggurat.runtime.kernel.forms.endings import EndGame, Recall
from ziggurat.runtime.kernel.forms.equipment import CardFamily, Neutral, Piece, PieceGroup, Place
from ziggurat.runtime.kernel.forms.expectations import Expect, Otherwise
from ziggurat.runtime.kernel.forms.flow import For, GiveBack, If, Jump, Let, Repeat, Step
from ziggurat.runtime.kernel.forms.givens import Deal, Given, Keep
from ziggurat.runtime.kernel.forms.harmless import Harmless
from ziggurat.runtime.kernel.forms.holdings import Give
from ziggurat.runtime.kernel.forms.kinds import BodyDecl, Field, FieldValue, Kind, Thing, ThingBody
from ziggurat.runtime.kernel.forms.marks import BoardMap, Mark
from ziggurat.runtime.kernel.forms.names import All, OptionRef
from ziggurat.runtime.kernel.forms.onlookers import Asked, AtRule, Ran, Said, Sees
from ziggurat.runtime.kernel.forms.open_places import OpenPlace
from ziggurat.runtime.kernel.forms.phases import Phase, TurnOrder
from ziggurat.runtime.kernel.forms.pieces import Count, Having, Move, Turn, Units, Whereabouts
from ziggurat.runtime.kernel.forms.procedures import Procedure
from ziggurat.runtime.kernel.forms.questions import Clarification, Question, Reading, Says
from ziggurat.runtime.kernel.forms.requirements import Requirement
from ziggurat.runtime.kernel.forms.scenarios import Misfit, Run, Scenario, ScenarioItem
from ziggurat.runtime.kernel.forms.scripts import Cannot, Limits, Scripted
from ziggurat.runtime.kernel.forms.sets import Reach
from ziggurat.runtime.kernel.forms.settings import Attribute, Option, natural_default
from ziggurat.runtime.kernel.forms.speech import Agreement, Say, Text
from ziggurat.runtime.kernel.forms.stages import Stage
from ziggurat.runtime.kernel.forms.values import Order, Value
from ziggurat.runtime.kernel.forms.wording import Chapter, Phrase
from ziggurat.runtime.kernel.ruleset import NO_RULES, PackInfo, Ruleset, plain_attributes
from ziggurat.runtime.kernel.bodies import bodies
