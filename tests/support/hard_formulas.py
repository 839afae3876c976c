"""Formulas that are hard to set."""

HARD = (
    r"x",
    r"\hat\beta = (X^\top X)^{-1}X^\top y",
    r"\int_0^\infty e^{-x^2}\,dx=\frac{\sqrt\pi}{2}",
    r"P(A\mid B)=\frac{P(B\mid A)\,P(A)}{\sum_j P(B\mid A_j)P(A_j)}",
    r"A=\begin{bmatrix}1&2\\3&4\end{bmatrix}^{-1}",
    r"\begin{pmatrix}1\\2\end{pmatrix}^{\!\top}_{i}",
    r"f(x)=\begin{cases} x & x>0 \\ 0 & \text{otherwise}\end{cases}",
    r"\begin{align} a &= b + c \\ &= \cfrac{1}{1+\cfrac{1}{2}} \label{eq:1} \end{align}",
    r"\begin{aligned}[t] a&=b \end{aligned}",
    r"\begin{array}{cc|c}1&2&3\\ \hline 4&5&6\end{array}",
    r"\operatorname*{argmax}_{\theta} \mathcal{L}(\theta) \tag{3.1}",
    r"\sum_{\substack{i<n \\ j<m}} \prod_{i=1}^{n} x_{ij}^{(l)}",
    r"\left\{ x \in \mathbb{R} \,\middle|\, \lVert x \rVert_2 \le 1 \right.",
    r"\oint_C \vec F\cdot d\vec r = \iint_S (\nabla\times\vec F)\cdot d\vec S",
    r"\underbrace{a+b}_{n} \overset{!}{=} \stackrel{def}{=} {n \choose k}",
    r"\lim_{x\to0}\frac{\sin x}{x}=1",
    r"90^\circ \quad 50\% \quad \$5",
    r"a < b > c",
    r"\xrightarrow[T]{f} \sqrt[3]{x} \boldsymbol{\theta} \mathfrak{g}",
    r"\Omega(n \log n) \equiv b \pmod{n}",
)
