"""Recordings that can be heard, what hears them, and the transcripts that come of it."""

from typing import NamedTuple

from app.domain.messages import Message


class Unheard(NamedTuple):
    """A recording in the library's folders that has neither captions nor a whole transcript."""

    path: str
    seconds: float  # it lasts; 0 where that is unknown
    heard_until: float  # second to which it has been heard

    @property
    def left(self) -> float:
        """Seconds still to be heard; 0 where that is unknown."""
        return max(self.seconds - self.heard_until, 0.0)


class SpeechModel(NamedTuple):
    """A model that writes down what is said, and can be downloaded."""

    id: str
    name: str
    bytes: int  # of the download
    licence: str
    rate: float  # seconds of sound heard in one second on this computer, as measured or expected
    arrived: int  # bytes of the download that are here; all of them if it is installed

    @property
    def is_installed(self) -> bool:
        return self.arrived == self.bytes


class Transcription(NamedTuple):
    """How a document came to its text that was heard in a recording."""

    model: str
    language: str  # a code of ISO 639
    is_corrected: bool
    dropped: int  # parts of the recording of which nothing could be made
    unsure: tuple[tuple[int, int], ...]  # spans of words in the document that may be other ones, in order
    unread: Message | None = None  # where the recording breaks off


class TranscriptionOffer(NamedTuple):
    """Recordings that could be transcribed, the models for it, and which of them to take."""

    recordings: tuple[Unheard, ...]
    models: tuple[SpeechModel, ...]
    best: SpeechModel | None


class TranscriptionChoice(NamedTuple):
    """What is to be transcribed; ``language`` is empty if it is to be found."""

    paths: tuple[str, ...]
    model: str
    language: str
