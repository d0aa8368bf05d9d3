"""The passes of a dream in their order."""

from mnemos_files.dream.passes.duplicates import duplicates
from mnemos_files.dream.passes.expiry import expiry
from mnemos_files.dream.passes.promotion import promotion
from mnemos_files.dream.passes.record import record
from mnemos_files.dream.passes.rumination import detection, resolution
from mnemos_files.dream.proposal import Pass

PASSES = (
    Pass("expiry", "expire", expiry),
    Pass("duplicates", "link", duplicates),
    Pass("promotion", "promote", promotion),
    Pass("detection", "ruminate", detection),
    Pass("resolution", "resolve", resolution),
    Pass("record", "dream", record),
)
"""Each works on what the ones before it have left; the record comes last."""
