"""PDFs whose pages are pictures of text, as scanners make them."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
from PIL import Image, ImageFilter

from tests.support.format_samples import pdf, text_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.format_samples import Line

PER_INCH = 150
TEXTS = {
    "English": (
        "The cell membrane separates the interior of the cell from the outside environment and controls what "
        "passes through it. Photosynthesis converts light energy into chemical energy, which plants store as "
        "sugar for later use. In 1687, Newton published three laws of motion that explained both falling "
        "apples and orbiting planets. A compiler translates source code into machine instructions before the "
        "program is executed for the first time. Enzymes lower the activation energy of a reaction without "
        "being consumed by the reaction itself. Judges interpret statutes according to their wording."
    ),
    "German": (
        "Die Zellmembran trennt das Innere der Zelle von der äußeren Umgebung und regelt, welche Stoffe "
        "hindurchtreten können. Größere Stichproben führen dazu, dass die Verteilung des Mittelwerts einer "
        "Normalverteilung ähnlicher wird. Im Jahr 1687 veröffentlichte Newton drei Bewegungsgesetze, die "
        "fallende Äpfel und kreisende Planeten erklärten. Die Französische Revolution begann 1789 und "
        "veränderte die politische Landschaft Europas innerhalb weniger Jahre. Gelerntes verblasst schnell, "
        "wenn man es nicht in wachsenden Abständen übt; maßgeblich ist häufig der heutige Sprachgebrauch."
    ),
    "Spanish": (
        "La membrana celular separa el interior de la célula del medio exterior y controla qué sustancias la "
        "atraviesan. La fotosíntesis convierte la energía luminosa en energía química, que las plantas "
        "almacenan en forma de azúcar. En 1687 Newton publicó tres leyes del movimiento que explicaban tanto "
        "la caída de las manzanas como las órbitas. La Revolución Francesa comenzó en 1789 y cambió el "
        "panorama político de Europa en pocos años. ¿Por qué se olvida tan rápido lo aprendido si no se "
        "repite? Así ocurrió también en España el año pasado con la redacción de las leyes."
    ),
}


def page_of(text: str) -> list[Line]:
    """Return a page with the text in one column."""
    return [(60, 730 - 14 * index, line) for index, line in enumerate(textwrap.wrap(text, 95))]


def columns_of(text: str) -> list[Line]:
    """Return a page with the text in two columns."""
    lines = textwrap.wrap(text, 44)
    half = (len(lines) + 1) // 2
    return [(60 + index // half * 260, 730 - 14 * (index % half), line) for index, line in enumerate(lines)]


def picture_of(lines: Sequence[Line]) -> Image.Image:
    """Return a page as a clean scan shows it."""
    with pypdfium2.PdfDocument(pdf([text_page(lines)])) as document:
        rendered: Image.Image = document[0].render(scale=PER_INCH / 72).to_pil()
    return rendered.convert("RGB")


def worn(picture: Image.Image) -> Image.Image:
    """Return it turned a little, blurred, grey and noisy, and stored with loss."""
    turned = picture.rotate(1, Image.Resampling.BICUBIC, fillcolor="white")
    grey = np.asarray(turned.filter(ImageFilter.GaussianBlur(0.7)), dtype=np.float32) * 0.78 + 35
    noise = np.random.default_rng(1).normal(0, 12, grey.shape[:2])
    noisy = Image.fromarray(np.clip(grey + noise[..., None], 0, 255).astype(np.uint8))
    stored = io.BytesIO()
    noisy.save(stored, "JPEG", quality=40)
    return Image.open(stored).convert("RGB")


def scan(*pictures: Image.Image) -> bytes:
    """Return a PDF with these pictures as its pages."""
    out = io.BytesIO()
    pictures[0].save(out, "PDF", resolution=PER_INCH, save_all=True, append_images=pictures[1:])
    return out.getvalue()


def stored_as(picture: Image.Image, kind: str, **options: object) -> bytes:
    """Return the file of a picture, such as "PNG"."""
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def slides_of(*slides: Image.Image | str) -> bytes:
    """Return a presentation in which a slide is a picture that covers it, or a title and some text."""
    import pptx

    made = pptx.Presentation()
    for content in slides:
        if isinstance(content, str):
            slide = made.slides.add_slide(made.slide_layouts[1])
            slide.placeholders[0].text_frame.text = "Tides"
            slide.placeholders[1].text_frame.text = content
        else:
            slide = made.slides.add_slide(made.slide_layouts[6])
            file = io.BytesIO(stored_as(content, "PNG"))
            slide.shapes.add_picture(file, 0, 0, made.slide_width, made.slide_height)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()
