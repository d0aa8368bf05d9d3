"""Texts without the secrets in them. Pure."""

_ROUNDS = 4
"""Most looks [1] at a text: what stands beside a masked value may only then be seen as one."""


_REACH = 4_000
"""Characters [1] behind a cut that are looked at: a private key of 4,096 bits is shorter."""


def mask(text: str) -> str:
    """The text with `[secret: <kind>]` in place of each secret; one without any is unchanged."""
    from mnemos_files.safety.secrets import find_secrets  # noqa: PLC0415 - slow to compile

    for _ in range(_ROUNDS):
        found = find_secrets(text)
        if not found:
            break
        for secret in reversed(found):
            text = f"{text[: secret.start]}[secret: {secret.kind}]{text[secret.end :]}"
    return text


def beginning(text: str, most: int) -> str:
    """At most the first `most` characters; a secret that would be cut is left out whole."""
    from mnemos_files.safety.secrets import find_secrets  # noqa: PLC0415 - slow to compile

    if len(text) <= most:
        return text
    secrets = find_secrets(text[: most + _REACH])
    return text[
        : min((each.start for each in secrets if each.start < most < each.end), default=most)
    ]
