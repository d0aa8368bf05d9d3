"""Another scanner's detectors of shapes find no secret that ours does not find.

docs/decisions/0010-secrets-by-own-rules.md says why that one is not used at run time.
"""

import pytest
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import transient_settings

from mnemos_files.safety.secrets import find_secrets
from tests.safety.secret_samples import SECRETS, Sample

DETECTORS = (
    "ArtifactoryDetector",
    "AWSKeyDetector",
    "AzureStorageKeyDetector",
    "BasicAuthDetector",
    "DiscordBotTokenDetector",
    "GitHubTokenDetector",
    "GitLabTokenDetector",
    "JwtTokenDetector",
    "MailchimpDetector",
    "NpmDetector",
    "OpenAIDetector",
    "PrivateKeyDetector",
    "PypiTokenDetector",
    "SendGridDetector",
    "SlackDetector",
    "SquareOAuthDetector",
    "StripeDetector",
    "TelegramBotTokenDetector",
    "TwilioKeyDetector",
)


def others(text: str) -> set[str]:
    """Values that the other scanner's detectors of shapes find."""
    with transient_settings({"plugins_used": [{"name": name} for name in DETECTORS]}):
        return {one.secret_value or "" for line in text.splitlines() for one in scan_line(line)}


@pytest.mark.parametrize("sample", SECRETS, ids=lambda sample: sample.kind)
def test_what_another_scanner_finds_by_its_shape_is_found(sample: Sample) -> None:
    ours = [sample.text[one.start : one.end] for one in find_secrets(sample.text)]

    for value in others(sample.text):
        assert any(value in one or one in value for one in ours), value


def test_the_other_scanner_is_at_work() -> None:
    found = [sample for sample in SECRETS if others(sample.text)]

    assert len(found) > 30
