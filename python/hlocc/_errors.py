"""What goes wrong, as the program says it with --json."""
from __future__ import annotations

import json


class HloccError(Exception):
    """A diagnostic.

    kind: "shape", "budget", "unsupported", ...: `hlocc explain KIND` has cause and cure.
    message: one sentence that names the thing.
    place: "FILE:LINE", "FILE", or "" where there is none.
    notes: what would help, a sentence each.
    """

    def __init__(self,
                 kind: str,
                 message: str,
                 place: str = "",
                 notes: tuple[str, ...] | list[str] = ()):
        self.kind, self.message, self.place, self.notes = kind, message, place, tuple(notes)
        text = f"{place}: " if place else ""
        super().__init__(f"{text}error[{kind}]: {message}" +
                         "".join(f"\nnote: {note}" for note in self.notes))

    def __reduce__(self):
        return HloccError, (self.kind, self.message, self.place, self.notes)

    @classmethod
    def of(cls, told: dict) -> HloccError:
        """Of an object as docs/schemas/error.schema.json describes it."""
        file, line = told["file"] or "", told["line"]
        return cls(told["kind"], told["message"], f"{file}:{line}" if line else file, told["notes"])

    @classmethod
    def of_json(cls, text: str) -> HloccError:
        return cls.of(json.loads(text))
