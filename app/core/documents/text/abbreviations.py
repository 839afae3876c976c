"""Words that help to tell whether a sentence ends, mostly abbreviations.

In lower case and without the last stop, grouped by what tells the end of a sentence from a stop that belongs
to the word. The lists need not be complete: a sentence cut at an abbreviation is still found and cited.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEVER_LAST = _words(
    # English: something always follows
    "mr mrs ms mx messrs dr drs prof profs e.g eg i.e ie cf vs viz fig figs eq eqs eqn eqns ref refs "
    "ft thm lem approx incl excl resp esp dept pp vols nos chs secs "
    # German, French, Spanish, Italian, Portuguese
    "bzw vgl ca z.b d.h u.a z.t s.o hrsg bspw sog evtl ggf inkl exkl abb nr kap mme mlle p.ex "
    "sra srta dra núm pág págs p.ej sig dott pag"
)
"""Never at a sentence's end."""

TITLES = _words("gen col capt cmdr lt maj sgt cpl adm rep sen gov rev hon pres sr fr br mt ft pvt supt insp")
"""Before a name if they begin with a capital letter: "Gen. Lee", but "of this gen. Then"."""

BEFORE_NUMBER = _words(
    "no nos nr art sec sect ch chap p pp par para pt vol bk ex exx prop def cor lemma tab app ser sess "
    "op fol l ll n nn v vv s ss c lec cap "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
)
"""Not at a sentence's end if a number follows: "No. 5", "Sec. 2", "Jan. 3"."""

MAYBE_LAST = _words(
    "etc inc ltd corp co bros llc plc gmbh jr sr esq st ave blvd rd mt a.m p.m am pm b.c a.d b.c.e c.e "
    "al ed eds est min max avg std var misc orig temp univ govt assoc asst intl natl tel ext cont trans "
    "hr hrs sq cu oz lb lbs vol fig tbsp tsp usw uvm usf mio mrd std jh jhd str lit "
    "calif mass penn conn mich minn tenn wash ariz colo fla ga ill ind kan ky la md mo neb nev okla ore va "
    "vt wis"
)
"""At a sentence's end only if the next word is a starter."""

STARTERS = _words(
    "the a an this that these those it its it's he she they we you i i'm i've i'll we'll we're we've let's "
    "you'll you're there's that's here's he's she's they're our my his her their your there here "
    "in on at for from with by to of when while if unless but and or nor so then now next first second "
    "third finally however moreover furthermore therefore thus hence also instead still yet as after "
    "before since although though because during until what who whom whose why how where which whether "
    "let please note yes no not all any some many most much more one two each every both either another "
    "such other others even only just maybe perhaps today once again do does did is are was were can "
    "could will would should may might must have has had remember suppose consider imagine recall see"
)
"""They begin sentences more often than they follow an abbreviation."""

MONTHS = _words(
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec"
)
"""Months of languages that write a day with a stop: "3. Oktober"."""

RUNS_ON = _words(
    "a an the this that our your my of in to and or from see with by at for on as than during after "
    "before per like until through is was said called since about"
)
"""A line ends with one of them only if its sentence continues in the next line."""
