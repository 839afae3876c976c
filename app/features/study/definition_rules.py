"""How sentences define something in English, German and Spanish: patterns and words."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Left of "is a", right of "is called".
_PHRASE = r"(?P<term>[^\s,.;:()\[\]][^,.;:()\[\]]{1,60}?)"
_ASIDE = r"(?: \([^()]{1,80}\)|,(?: or| also| sometimes| often| auch| oder| también| o) [^,.;:()]{2,60},)?"
_NAME = r"(?P<term>[^\s,.;:()][^,.;:()]{1,60})"
_OTHER = r"(?P<{}>[^\s,.;:()\[\]][^,.;:()\[\]]{{1,60}}?)"  # a second phrase of one pattern
# "The owl is an example of …", "Overfishing is a serious threat": they tell little of what it is.
_VAGUE = (
    "(?:same|one|only|first|next|most|very|typical|case|example|result|reason|number|major|serious|important|great|good|bad|big"
    "|exciting|attractive|appealing|considerable|common|random|key|driving|concern|threat|problem|challenge"
    "|issue|word|source|topic|matter|main|primary|dominant|standard|essential|natural|causative|controversial"
    "|relevant|principal|[a-z]{3,}(?<!for)est)\\b"
    r"|[^.]{0,250}\b(?:because(?! of)|therefore (?:it|they)"
    r"|(?:as|since) (?:it|they) (?:is|are|was|were|has|have))\b"
)

# "A small p-value means that …", "Independent means that …", "Searching means finding …": no terms.
_STATE = (
    "(?:(?:An? |The )?(?:small|large|high|low|big|long|short|strong|weak|good|bad|more|less)"
    " [^.]{1,40}? means "
    r"|\w+(?:ed|ent|ant|ive|ous|able|ible|ful|less) means |\w+ing means (?!that\b)"
    "|[^.]{1,40}? of [^.]{1,40}? means )"
)


@dataclass(frozen=True, slots=True)
class Rules:
    """Of one language. Patterns are matched where a sentence begins, unless they name what it is called."""

    naming: re.Pattern[str]
    explaining: re.Pattern[str]
    being: re.Pattern[str]
    articles: frozenset[str]
    joining: frozenset[str]  # stand within a term: "law of segregation"
    no_term: frozenset[str]
    leaning: frozenset[str]  # first words that lean on the sentence before
    meaning: frozenset[str]  # words for what was told before, wherever they stand
    telling: frozenset[str]  # verbs behind a term in bold, which tell what it is or does
    pointing: re.Pattern[str]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RULES = {
    "en": Rules(
        re.compile(
            r"\b(?:is|are)(?: also| often| sometimes| usually| commonly| generally| collectively)?"
            rf" (?:called|known as|referred to as|termed) {_NAME}"
        ),
        re.compile(
            rf"\A(?!{_STATE})(?:The (?:term|word|concept) )?{_PHRASE}{_ASIDE}"
            " (?:refers? to|(?:is|are) defined as|means) "
        ),
        re.compile(
            rf"\A{_PHRASE}{_ASIDE} (?:is|are) (?:an?|the|any) (?!{_VAGUE})[^\W\d]"
            rf"|\A{_OTHER.format('plural')}{_ASIDE} are (?!\w+ed (?:into|in|by|to|from|with|as|at|on)\b)"
            "[a-z-]+(?: [a-z-]+){0,3}"
            " (?:(?<! in )that|which|who|whose|in which|made of) "
        ),
        _words("a an the"),
        _words("of the"),
        _words(
            """
            usually often typically generally simply name aim aims also exercise hint note proof remark
            summary tip warning answer diagram drawing front graph image photo picture approach
            author authors best background case chapter conclusion difference effect end example
            fact factor figure finding first focus following goal group idea important key last
            lesson main method model most next number objective one only other paper part patients
            people person point problem process purpose question reason rest result results role
            second section solution step story student study subject system table task thing third
            time type types use value way ways word work world year years data samples
            """
        ),
        _words(
            """
            it its this that these those they them their he she his her we us our i my you your here
            there so such another other others both many some several most all each one two three
            first second next then thus hence also but and or yet however therefore because if when
            while although as in at on for with what which who why how
            """
        ),
        _words("this these those"),
        _words(
            """
            is are consists consist comprises comprise contains contain involves states describes
            results result regulates regulate controls control integrates produces produce stores
            store houses forms form acts act has have uses use converts convert carries carry
            transports transport detects detect connects connect protects protect prevents prevent
            allows allow measures measure separates separate
            """
        ),
        re.compile(
            r"\b(?:[Ff]ig(?:ure)?s?|[Tt]ables?|[Cc]hapters?|[Ss]ections?|[Ee]quations?|[Aa]ppendix)\b"
            r"\.? ?\(?[\dA-Z]\b"
            r"|\b(?:above|below|previous(?:ly)?|aforementioned|following|latter|former)\b"
            r"|\b(?:as shown|see|shown here)\b|\bsuch (?!as\b|that\b|an?\b)|\bboth[,;.]"
            r"|(?<!one )\banother (?:class|type|kind|form|group|example|name)\b"
            r"|\b[Tt]his (?:study|paper|chapter|section|lesson|course|article|figure|video|book)\b|\[link\]"
        ),
    ),
    "de": Rules(
        re.compile(
            rf"\b[Uu]nter {_PHRASE} versteht man"
            rf"|\b[Aa]ls {_OTHER.format('as')} (?:bezeichnet man|(?:wird|werden) [^.]{{3,200}} bezeichnet)"
            rf"|\b(?:wird|werden)(?: auch| oft| häufig| allgemein)? (?:als )?{_OTHER.format('so')}"
            r" (?:bezeichnet|genannt)"
            r"|\b(?:nennt man|bezeichnet man(?: auch)? als|heißt|heißen) (?P<name>[^\s,.;:()][^,.;:()]{1,60})"
        ),
        re.compile(
            rf"\A(?:Der (?:Begriff|Ausdruck) )?{_PHRASE}{_ASIDE} (?:bezeichnet|bezeichnen|bedeutet)"
            r" (?:eine?n?|die|den|das|alle)\b(?![^.]{3,300} als )"
        ),
        re.compile(
            rf"\A{_PHRASE}{_ASIDE} (?:ist|sind) (?:eine?|der|die|das|eines der|jede[rs]?)"
            r" (?!Beispiel|Grund|Teil |Folge |[a-zäöü-]{3,}[sß]ten? |wichtig|häufig|[^.]{0,250}\bweil\b)"
            r"[^\W\d]"
            rf"|\A{_OTHER.format('plural')}{_ASIDE} sind [\w-]+(?: [\w-]+){{0,3}},"
            r" (?:die|deren|welche|(?:in|bei|aus|mit) denen) "
        ),
        _words(
            """
            der die das den dem des ein eine einen einem einer eines
            """
        ),
        _words("der des von"),
        _words(
            """
            anfang anmerkung aufgabe beweis hinweis merke tipp zusammenfassung zwei zweiten antwort
            art aufgabe beispiel ende ergebnis frage folge fall grund gruppe idee jahr kapitel
            lektion mensch menschen problem punkt rolle sache satz schritt teil thema unterschied
            weg weise wert wort zahl zeit ziel zweck land region stadt
            """
        ),
        _words(
            """
            er sie es ihr ihm ihn ihnen ihre ihren sein seine seinen dies diese dieser dieses diesem
            diesen wir uns unser ich du hier dort da dann so solche solcher auch aber und oder doch
            jedoch deshalb daher damit dadurch dabei wenn weil obwohl als in im bei mit beide viele
            einige manche alle jede jeder zwei drei erste zweite was wer wie warum wo man dazu davon
            zudem außerdem heute seitdem ebenso darüber somit meist oft manchmal dennoch trotzdem
            danach zuvor jetzt nun nur etwa selbst später zunächst
            """
        ),
        _words("dies diese dieser dieses diesem diesen dieses"),
        _words("ist sind besteht bestehen hat haben enthält enthalten bezeichnet bezeichnen"),
        re.compile(
            r"\b(?:Abb(?:ildung|\.)|Tab(?:elle|\.)|Kapitel|Abschnitt|Gleichung) ?\d"
            r"|\b(?:oben|unten|siehe|vorherigen?|folgenden?|letztere[rs]?|erstere[rs]?|solche[nrms]?)\b"
        ),
    ),
    "es": Rules(
        re.compile(
            r"\b[Ss]e (?:llaman?|denominan?|conocen? como|entiende por)"
            rf" {_PHRASE} (?:al?|el|la|los|las|una?) "
            rf"|\b[Pp]or {_OTHER.format('by')} se entiende"
            r"|\b(?:se (?:les? )?(?:llaman?|denominan?|conocen? como)|reciben? el nombre de)"
            r" (?P<name>[^\s,.;:()][^,.;:()]{1,60})"
        ),
        re.compile(
            rf"\A(?:El (?:término|concepto) (?:de )?)?{_PHRASE}{_ASIDE}"
            r" (?:se definen? como|significa|se refiere a|designa|consiste en) "
        ),
        re.compile(
            rf"\A{_PHRASE}{_ASIDE} (?:es|son) (?:una?|unos|unas|el|la|los|las|aquel|aquella|cualquier)"
            r" (?!ejemplo|razón|parte |caso |principal|\w+ (?:más|principal)\b|[^.]{0,250}\bporque\b)[^\W\d]"
            rf"|\A{_OTHER.format('plural')}{_ASIDE} son [^\W\d][\w-]*(?: [\w-]+){{0,3}}"
            r" (?:que|cuy[oa]s?|en l[oa]s que|formad[oa]s|compuest[oa]s) "
        ),
        _words("el la los las un una unos unas"),
        _words("de del la los las"),
        _words(
            """
            año años consejo ejercicio nota resumen caso causa ejemplo ejemplos fin final forma
            grupo idea lección manera mayoría objetivo parte persona personas pregunta problema
            punto razón respuesta resultado tema tiempo tipo tercer vez obra nombre ciudad país región
            """
        ),
        _words(
            """
            él ella ello ellos ellas esto eso esta este estos estas ese esa esos esas aquello su sus
            nosotros yo tú aquí allí así tal tales también pero y o sin embargo además por para si
            cuando mientras aunque como en con ambos ambas muchos muchas algunos algunas otro otra
            otros otras todos cada uno dos tres primero segundo qué quién cómo dónde que lo entre
            """
        ),
        _words("esto eso este esta estos estas ese esa esos esas"),
        _words("es son consiste consisten tiene tienen contiene contienen significa"),
        re.compile(
            r"\b(?:[Ff]ig(?:ura|\.)|[Tt]abla|[Cc]apítulo|[Ss]ección) ?\d"
            r"|\b(?:arriba|abajo|anterior(?:es|mente)?|siguientes?|véase|dich[oa]s?)\b"
        ),
    ),
}
