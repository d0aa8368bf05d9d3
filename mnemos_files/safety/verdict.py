"""What a scan of a text found."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from mnemos_files.safety.rules import RULES

Risk = Literal["none", "low", "medium", "high"]

RISKS: tuple[Risk, ...] = ("none", "low", "medium", "high")
"""From harmless to worst."""


def worst(risks: Iterable[Risk]) -> Risk:
    """The highest of some risks, none when there are none."""
    return max(risks, key=RISKS.index, default="none")


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One place where a rule fired; start and end are code points of the scanned text."""

    start: int
    end: int
    rule: str
    risk: Risk


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings in a text, in the order of their places."""

    findings: tuple[Finding, ...] = ()

    @property
    def risk(self) -> Risk:
        """The highest risk of a finding."""
        return worst(finding.risk for finding in self.findings)

    @property
    def rules(self) -> tuple[str, ...]:
        """Names of the rules that fired, each once, in the order of `RULES`."""
        fired = {finding.rule for finding in self.findings}
        return tuple(rule.name for rule in RULES if rule.name in fired)

    def rules_at(self, risk: Risk) -> tuple[str, ...]:
        """Names of the rules that fired at a risk or above, in the order of `RULES`."""
        bar = RISKS.index(risk)
        fired = {each.rule for each in self.findings if RISKS.index(each.risk) >= bar}
        return tuple(rule.name for rule in RULES if rule.name in fired)
