"""What is read from markup other than Markdown: its text in the form of Markdown, with anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_reader import read_document

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.documents import DocumentText


def read(folder: Path, name: str, content: str) -> DocumentText:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return read_document(path)


def headings(document: DocumentText) -> list[str]:
    return [str(mark.anchor.value) for mark in document.marks]


RST = r"""
.. _top:

========
Glaciers
========

:orphan:

A glacier is a :term:`slow river <river>` of ``ice`` and `snow <https://x.org>`_, :math:`h^2` high.

How they move
-------------

.. note::

   Mind the *gap*.

   .. code-block:: python
      :linenos:

      def flow():
          return 1

The code is::

    a = 1

      b = 2

+-------+------+
| Bird  | km   |
+=======+======+
| Swift | 9000 |
| bird  | more |
+-------+------+

=====  =====
A      B
=====  =====
1      2
=====  =====

.. image:: a.png
   :alt: A glacier that calves

.. toctree::
   :maxdepth: 2

   intro

.. math:: a^2

.. a comment
   of two lines

>>> flow()
1

In short
~~~~~~~~
- One

.. [1] A footnote.
"""


def test_restructured_text(tmp_path: Path) -> None:
    document = read(tmp_path, "a.rst", RST)
    assert document.text == (
        "# Glaciers\n\nA glacier is a slow river of `ice` and snow, $h^2$ high.\n\n## How they move\n\n"
        "Mind the *gap*.\n\n```python\ndef flow():\n    return 1\n```\n\nThe code is:\n\n"
        "```\na = 1\n\n  b = 2\n```\n\n| Bird | km |\n| Swift bird | 9000 more |\n\n| A | B |\n| 1 | 2 |\n\n"
        "[Picture: A glacier that calves]\n\n$$\na^2\n$$\n\n```python\n>>> flow()\n1\n```\n\n"
        "### In short\n\n- One\n\n[1] A footnote."
    )
    assert headings(document) == [
        "Glaciers",
        "Glaciers › How they move",
        "Glaciers › How they move › In short",
    ]


ORG = """#+TITLE: Glaciers
#+AUTHOR: Ada
* TODO [#A] How they move :ice:snow:
:PROPERTIES:
:ID: 5
:END:
SCHEDULED: <2024-01-01>
See [[https://x.org][the *book*]] and ~flow()~.
# comment
#+BEGIN_SRC python :results output
x = 1
#+END_SRC
** Parts
| A | B |
|---+---|
| 1 | 2 |
: literal
#+begin_quote
Slow.
#+end_quote
[[file:ice.png]]
- item
"""


def test_org(tmp_path: Path) -> None:
    document = read(tmp_path, "a.org", ORG)
    assert document.text == (
        "# Glaciers\n\n## How they move\n\nSee the *book* and `flow()`.\n\n```python\nx = 1\n```\n\n"
        "### Parts\n\n"
        "| A | B |\n| 1 | 2 |\n\n```\nliteral\n```\n\nSlow.\n\n- item"
    )
    assert headings(document)[-1] == "Glaciers › How they move › Parts"


ADOC = """= Glaciers
:toc: left

// comment
[[move]]
== How they move

See link:https://x.org[the book], <<move,there>> and https://x.org[site].footnote:[By its weight.]

[NOTE]
====
Mind the gap.
====

.A program
[source,python]
----
def flow():
    return 1
----

* ice
** snow
. One

image::a.png[A glacier that calves,300]

[cols="1,1"]
|===
|Bird |km

|Swift
|9000
|===

It is stem:[a^2] high.
"""


def test_asciidoc(tmp_path: Path) -> None:
    document = read(tmp_path, "a.adoc", ADOC)
    assert document.text == (
        "# Glaciers\n\n## How they move\n\nSee the book, there and site. (By its weight.)\n\n"
        "Mind the gap.\n\n"
        "A program\n\n```python\ndef flow():\n    return 1\n```\n\n- ice\n  - snow\n1. One\n\n"
        "[Picture: A glacier that calves]\n\n| Bird | km |\n| Swift | 9000 |\n\nIt is $a^2$ high."
    )
    assert headings(document) == ["Glaciers", "Glaciers › How they move"]


LATEX = r"""\documentclass{article}
\usepackage[utf8]{inputenc} % x
\title{Glaciers \& Ice}
\begin{document}
\maketitle
\section[short]{How \emph{they} move}\label{sec:a}
A glacier~\cite{x} is a \textbf{slow} river, 5\% more. % a comment
Caf\'e, na\"{\i}ve, \c{c}a, \"Uber --- ``quoted'', \verb|a_%b|, $x_1 < 2$ and \(y\).
\begin{itemize}
  \item One
  \item[Two] costs \$5\footnote{A note.}
\end{itemize}
\begin{equation}\label{e}
 E = mc^2
\end{equation}
\begin{theorem}[Ada] It holds. \end{theorem}
\begin{lstlisting}[language=Python]
def f(): # 5% \section{no}
    return {}
\end{lstlisting}
\begin{tabular}{l|r}
\hline Bird & km \\ \hline
Swift & 9000 \\
\end{tabular}
\begin{frame}{In short}
\href{https://x.org}{The site} \[ a \]
\end{frame}
\end{document}
never
"""


def test_latex(tmp_path: Path) -> None:
    document = read(tmp_path, "a.tex", LATEX)
    assert [line.strip() for line in document.text.split("\n") if line.strip()] == [
        "# Glaciers & Ice",
        "## How they move",
        "A glacier is a slow river, 5% more. Café, naïve, ça, Über — “quoted”, `a_%b`, $x_1 < 2$ and $y$.",
        "- One",
        "- Two: costs $5 (A note.)",
        *("$$", "E = mc^2", "$$"),
        "**Theorem (Ada).** It holds.",
        *("```python", "def f(): # 5% \\section{no}", "    return {}".strip(), "```"),
        *("| Bird | km |", "| Swift | 9000 |"),
        "### In short",
        "The site",
        *("$$", "a", "$$"),
    ]
    assert headings(document)[-1] == "Glaciers & Ice › How they move › In short"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            r"\begin{tabular}{@{}lp{3cm}@{}} Bird & km \\ Swift & 9000 \end{tabular}",
            "| Bird | km |\n| Swift | 9000 |",
        ),
        (r"Ice\\water and\\[2pt]\emph{snow}\\'here'", "Ice\nwater and\nsnow\n'here'"),
        (
            r"\[ \left\{\begin{array}{l} a & b \\ c \end{array}\right. \]",
            "$$\n\\left\\{\\begin{array}{l} a & b \\\\ c \\end{array}\\right.\n$$",
        ),
        (r"\begin{column}{0.5\textwidth}Ice\end{column}\column{.5\textwidth}Snow", "Ice\n\nSnow"),
        (r"\section{The $L^2$ norm}Ice\footnote{As $x$.}", "## The $L^2$ norm\n\nIce (As $x$.)"),
        (r"e.g.\ ice, 5\,km of \LaTeX\ and \lstinline|a_b|", "e.g. ice, 5 km of LaTeX and `a_b`"),
        (r"\begin{itemize}[<+->]\item<1-> \alert<2>{Ice}\item[$x$] Snow\end{itemize}", "- Ice\n- $x$: Snow"),
        (r"\begin{tabular}{ll}\multicolumn{2}{|c|}{Ice}\\ \multirow{2}{*}{a} & b\end{tabular}",
         "| Ice |\n| a | b |"),
        (r"Ice \begin{tikzpicture}\draw (0,0) -- (1,1);\end{tikzpicture}", "Ice"),
    ],
)  # fmt: skip
def test_what_only_sets_latex_is_left_out(tmp_path: Path, source: str, text: str) -> None:
    assert read(tmp_path, "a.tex", source).text == text


def test_a_table_of_values_between_commas_in_restructured_text(tmp_path: Path) -> None:
    source = '.. csv-table:: Birds\n   :header: "Bird", "km"\n\n   "Arctic tern, old", 35000\n'
    assert read(tmp_path, "a.rst", source).text == "Birds\n\n| Bird | km |\n| Arctic tern, old | 35000 |"


@pytest.mark.parametrize(
    ("name", "code", "names"),
    [
        (
            "a.py",
            "import x\n\n# Birds\n@deco\nclass A(B):\n    def f(self):\n        def inner(): pass\n\n"
            "    async def g(self): pass\n\ndef main() -> None:\n    if f(x):\n        pass\n",
            ["A", "A › f", "A › g", "main"],
        ),
        (
            "a.c",
            "/* Finds. */\nstatic Node *find(const char *name,\n    int n)\n{\n    if (n > 3) {\n"
            "        return call(x);\n    }\n    foo(bar);\n}\nint main(void) { return 0; }\n",
            ["find", "main"],
        ),
        (
            "A.java",
            "public class A<T> {\n    private final int x = foo(3);\n    @Override\n"
            "    public static List<String> names(int a) throws E {\n        for (int i = 0; i < n; i++) {\n"
            "        }\n    }\n}\n",
            ["A", "A › names"],
        ),
        (
            "a.js",
            "export default function App({a}) {\n}\nconst f = async (x) => {\n};\nclass B extends C {\n"
            "  static async load(x) {\n  }\n}\n",
            ["App", "f", "B", "B › load"],
        ),
        ("a.R", "f <- function(x, y = 2) {\n  x + y\n}\n", ["f"]),
        ("a.m", "function y = area(r)\ny = r;\nend\n", ["area"]),
        ("a.go", "func (s *Server) Run(a int) error {\n}\n", ["Run"]),
    ],
)
def test_functions_are_the_structure_of_source_code(
    tmp_path: Path, name: str, code: str, names: list[str]
) -> None:
    document = read(tmp_path, name, code)
    assert headings(document) == names
    lines = [line for line in document.text.split("\n") if line and not line.startswith("```")]
    assert lines == [line for line in code.split("\n") if line]
    assert document.text.count("```") == 2 * (len(names) + (name == "a.py"))


@pytest.mark.parametrize("name", ["a.rst", "a.org", "a.adoc", "a.tex"])
def test_what_is_never_closed_is_still_read(tmp_path: Path, name: str) -> None:
    unit = "#+begin_src a\n----\n|===\n.. code::\n\n \\begin{verbatim} \\begin{tabular} $ x \\verb| {\n:A:\n"
    document = read(tmp_path, name, unit * 2000 + "\nThe last words.\n")
    assert "The last words." in document.text
