"""What a detector saw, before quoting and source are weighed."""

from dataclasses import dataclass

from mnemos_files.safety.verdict import RISKS, Risk


@dataclass(frozen=True, slots=True)
class Found:
    """A place in the folded text, with the risk it has when it is said plainly."""

    rule: str
    risk: Risk
    start: int
    end: int

    def lowered(self, steps: int) -> "Found":
        """The same with a lower risk, never below low."""
        if steps == 0:
            return self
        risk = RISKS[max(1, RISKS.index(self.risk) - steps)]
        return Found(self.rule, risk, self.start, self.end)
