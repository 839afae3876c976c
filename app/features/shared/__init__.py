"""Libraries on Chroma servers: publishing, subscribing, searching."""

from app.features.feature import Feature
from app.features.shared.commands import COMMANDS

SHARED = Feature(name="shared", commands=COMMANDS)
