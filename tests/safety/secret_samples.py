"""Made-up secrets, put together at run time so that no scanner of a forge meets one in this file.

None of them was ever real.
"""

import base64
import json
import random
import string
from dataclasses import dataclass

HEX = "0123456789abcdef"
LETTERS = string.ascii_letters
MIXED = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
SAFE = MIXED + "-_"
_chance = random.Random(20261201)  # noqa: S311 - the same values at each run


@dataclass(frozen=True)
class Sample:
    """A text that holds exactly one secret: its kind and its value."""

    kind: str
    text: str
    value: str


def signs(count: int, alphabet: str = MIXED) -> str:
    """Random signs, the same at each run, with digits and letters wherever there are enough."""
    while True:
        drawn = "".join(_chance.choice(alphabet) for _ in range(count))
        if count < 6 or alphabet.isdigit() or alphabet.isalpha():
            return drawn
        if any(map(str.isdigit, drawn)) and any(map(str.isalpha, drawn)) and drawn[-1].isalnum():
            return drawn


def _json(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _block(name: str, lines: int = 4) -> str:
    rows = "\n".join(signs(64) for _ in range(lines))
    return "-----" + f"BEGIN {name}-----\n{rows}\n-----" + f"END {name}-----"


def _row(kind: str, before: str, value: str, after: str = "") -> Sample:
    return Sample(kind, f"{before}{value}{after}", value)


def _jwt() -> str:
    return f"{_json({'alg': 'HS256'})}.{_json({'sub': '42', 'name': 'Ines'})}.{signs(42, SAFE)}x"


def _private_keys() -> list[Sample]:
    inline = (_block("PRI" + "VATE KEY", 3)).replace("\n", "\\n")
    return [
        _row("private-key", "The deploy key:\n\n", _block("RSA PRI" + "VATE KEY"), "\n"),
        _row("private-key", "", _block("OPENSSH PRI" + "VATE KEY", 6)),
        _row("private-key", "    \n", _block("EC PRI" + "VATE KEY", 2), "\nas above"),
        _row("private-key", "", _block("ENCRYPTED PRI" + "VATE KEY")),
        _row("private-key", "", _block("PGP PRI" + "VATE KEY BLOCK", 8)),
        _row(
            "private-key",
            '{"type": "service_account", "private_key": "',
            inline,
            '\\n", "client_email": "bot@tides.iam.gserviceaccount.com"}',
        ),
    ]


def _clouds() -> list[Sample]:
    return [
        _row("aws-key-id", "key id ", "AK" + "IA" + signs(16, UPPER), " in eu-west"),
        _row("aws-key-id", "aws_access_key_id = ", "AS" + "IA" + signs(16, UPPER)),
        _row("secret", "aws_secret_access_key = ", signs(39, MIXED + "/+") + "a"),
        _row("secret", "AWS_SECRET_ACCESS_KEY: '", signs(39, MIXED + "/+") + "7", "'"),
        _row("google-api-key", "maps key ", "AI" + "za" + signs(34, SAFE) + "d", ", for the web"),
        _row("google-oauth-secret", "client ", "GOC" + "SPX-" + signs(28, SAFE)),
        _row("google-oauth-token", "", "ya" + "29." + signs(60, SAFE)),
        _row(
            "azure-key",
            "DefaultEndpointsProtocol=https;AccountName=tides;",
            "Account" + "Key=" + signs(86, MIXED + "/+") + "==",
            ";EndpointSuffix=core.windows.net",
        ),
        _row(
            "azure-sas",
            "https://tides.blob.core.windows.net/c?sv=2024-11-04&se=2026-12-31&",
            "si" + "g=" + signs(40) + "%3D",
        ),
        _row("azure-client-secret", "app: ", signs(3) + "8" + "Q~" + signs(34, SAFE)),
    ]


def _forges() -> list[Sample]:
    github = [
        _row("github-token", "The bot uses ", f"gh{kind}_" + signs(36), ".") for kind in "pousr"
    ]
    return [
        *github,
        _row("github-token", "token: ", "github" + "_pat_" + signs(22) + "_" + signs(59)),
        _row("gitlab-token", "use ", "gl" + "pat-" + signs(20, SAFE), " for the mirror"),
        _row("gitlab-token", "runner ", "gl" + "rt-" + signs(20, SAFE)),
        _row("gitlab-token", "`", "gl" + "dt-" + signs(20, SAFE), "`"),
        _row("bitbucket-token", "app password: ", "AT" + "BB" + signs(32)),
        _row("npm-token", "//registry/:_authToken=", "np" + "m_" + signs(36)),
        _row("pypi-token", "password = ", "py" + "pi-AgEIcHlwaS5vcmc" + signs(80, SAFE)),
        _row("rubygems-token", "gem push with ", "ruby" + "gems_" + signs(48, HEX)),
        _row("docker-token", "docker login -p ", "dck" + "r_pat_" + signs(27, SAFE)),
        _row("hashicorp-token", "VAULT_TOKEN=", "hv" + "s." + signs(90, SAFE)),
    ]


def _services() -> list[Sample]:
    numbers = "3" + signs(11, "0123456789")
    return [
        _row("slack-token", "hook token ", "xo" + "xb-" + numbers + "-" + signs(24)),
        _row(
            "slack-token", "SLACK=", "xo" + "xp-" + numbers + "-" + numbers + "-" + signs(32, HEX)
        ),
        _row(
            "slack-token", "", "xa" + "pp-1-A" + signs(10, UPPER) + "-" + numbers + "-" + signs(64)
        ),
        _row(
            "slack-webhook",
            "post to https://",
            "hooks.slack"
            + ".com/services/T"
            + signs(9, UPPER)
            + "/B"
            + signs(9, UPPER)
            + "/"
            + signs(24),
        ),
        _row(
            "discord-webhook",
            "https://",
            "discord.com"
            + "/api/webhooks/"
            + "8" * 3
            + numbers
            + numbers[:3]
            + "/"
            + signs(68, SAFE),
        ),
        _row("discord-token", "bot ", "M" + signs(23) + "." + signs(6) + "." + signs(38), "!"),
        _row("telegram-token", "bot ", "71" + signs(8, "123456789") + ":A" + "A" + signs(33, SAFE)),
        _row("stripe-key", "billing: ", "sk" + "_live_" + signs(24)),
        _row("stripe-key", "billing: ", "rk" + "_test_" + signs(90)),
        _row("webhook-secret", "endpoint ", "wh" + "sec_" + signs(32)),
        _row("sendgrid-key", "mail: ", "S" + "G." + signs(22, SAFE) + "." + signs(43, SAFE)),
        _row("twilio-key", "sid ", "S" + "K" + signs(32, HEX)),
        _row("token", "twilio auth token: ", signs(32, HEX)),
        _row("mailgun-key", "mail key ", "ke" + "y-" + signs(32, LOWER)),
        _row("mailchimp-key", "list: ", signs(32, HEX) + "-u" + "s21"),
        _row("shopify-token", "shop ", "shp" + "at_" + signs(32, HEX)),
        _row("digitalocean-token", "DO: ", "do" + "p_v1_" + signs(64, HEX)),
        _row("databricks-token", "spark ", "da" + "pi" + signs(32, HEX)),
        _row("linear-key", "", "lin" + "_api_" + signs(40)),
        _row("postman-key", "", "PM" + "AK-" + signs(24, HEX) + "-" + signs(34, HEX)),
        _row("grafana-token", "board ", "gl" + "sa_" + signs(32) + "_" + signs(8, HEX)),
        _row("notion-token", "wiki ", "nt" + "n_" + signs(46)),
    ]


def _models() -> list[Sample]:
    return [
        _row("openai-key", "set ", "s" + "k-" + "proj-" + signs(48, SAFE)),
        _row("openai-key", "OPENAI_API_KEY=", "s" + "k-" + signs(48)),
        _row("openai-key", "deep: ", "s" + "k-" + signs(32, HEX)),
        _row("anthropic-key", "export KEY=", "s" + "k-" + "ant-api03-" + signs(93, SAFE) + "AA"),
        _row("openrouter-key", "", "s" + "k-" + "or-v1-" + signs(64, HEX)),
        _row("hugging-face-token", "model pull ", "h" + "f_" + signs(34, LETTERS)),
        _row("groq-key", "", "gs" + "k_" + signs(52)),
        _row("replicate-token", "", "r" + "8_" + signs(37)),
        _row("perplexity-key", "", "pp" + "lx-" + signs(48)),
        _row("xai-key", "", "xa" + "i-" + signs(80)),
        _row("nvidia-key", "", "nv" + "api-" + signs(64, SAFE)),
    ]


def _addresses() -> list[Sample]:
    return [
        _row("connection-string", "postgres://app:", signs(18), "@db.example.org/main"),
        _row("connection-string", "DATABASE_URL=postgresql+asyncpg://a:", signs(12), "@db:5432/x"),
        _row("connection-string", "mysql://root:", "Tide!" + signs(6), "@127.0.0.1/ships"),
        _row("connection-string", "mongodb+srv://svc:", signs(16), "@c0.ab1cd.mongodb.net/?w=1"),
        _row("connection-string", "redis://:", signs(20), "@cache:6379/0"),
        _row("connection-string", "amqp://worker:", signs(14), "@mq.example.org:5672/%2f"),
        _row("address-with-password", "curl https://ines:", signs(12), "@status.example.org/api"),
        _row("address-with-password", "git clone https://ci:", signs(20), "@git.example.org/x.git"),
        _row(
            "password", "Server=db;Database=x;User Id=sa;Password=", "Xk9!" + signs(8), ";Encrypt=1"
        ),
        _row("password", "jdbc:postgresql://db/x?user=a&password=", signs(12), "&ssl=true"),
    ]


def _headers() -> list[Sample]:
    basic = base64.b64encode(f"ines:{signs(12)}".encode()).decode()
    return [
        _row("jwt", "header ", _jwt()),
        _row("jwt", "Authorization: Bearer ", _jwt()),
        _row("authorization-header", "curl -H 'Authorization: Bearer ", signs(40), "'"),
        _row("authorization-header", '{"Authorization": "Bearer ', signs(32, LOWER), '"}'),
        _row("authorization-header", "authorization: token ", signs(40, HEX)),
        _row("authorization-header", "Authorization: Basic ", basic),
        _row("login", "curl -u ines:", "Harbour7!" + signs(4), " https://status.example.org"),
        _row("api-key", "X-Api-Key: ", signs(32)),
    ]


def _assignments() -> list[Sample]:
    return [
        _row("password", "password = ", signs(15) + "4!"),
        _row("password", 'password: "', "Tide-Table#2026", '"'),
        _row("password", "DB_PASSWORD=", signs(12)),
        _row("password", "The password is ", "hun" + "ter2", "."),
        _row("password", "The password is: ", "hun" + "ter2", " for now."),
        _row("password", "密码是\uff1a", "hun" + "ter2", "\n"),
        _row("password", "the wifi password for the harbour office is ", "Gr3y-Seal!9", "."),
        _row("password", "**Password:** `", "Kelp" + "Forest99", "`"),
        _row("password", "| admin | password | ", "Xy7" + "kQ2mP", " |"),
        _row("password", "  smtp_pass: '", "m4il" + "B0x" + "er", "'"),
        _row("password", "PGPASSWORD=", "s3al" + "Bay", " psql -h db"),
        _row("password", '$env:ADMIN_PASSWORD = "', "Wave" + "!Break3r", '"'),
        _row("password", "<password>", "Oys" + "ter#42x", "</password>"),
        _row("password", '<add key="password" value="', "Crab" + "&Claw77", '"/>'),
        _row("password", "passwort: ", "Ebbe" + "UndFlut24"),
        _row("password", "contraseña: ", "Marea" + "Alta_88"),
        _row("password", "密码\uff1a", "hai" + "Chao#668"),
        _row("password", 'passphrase: "', "sloop4-Keel9-mast!", '"'),
        _row("password", "const dbPassword = '", "Ju6" + "hT!pq", "';"),
        _row("password", 'conn.password("', "Ju7" + "hT!pw", '")'),
        _row("password", "mysql --password=", "Tr0ut" + "#Stream", " ships"),
        _row("password", 'password: str = "', "Tr1ut" + "#Stream", '"'),
        _row("password", "password:\n  ", "Rudder" + "7Seven!"),
        _row("secret", "client_secret: ", signs(32)),
        _row("secret", '"clientSecret": "', signs(24), '",'),
        _row("secret", "JWT_SECRET='", signs(48, MIXED + "+/"), "'"),
        _row("secret", "SECRET_KEY = '", signs(50, MIXED + "#%^*+"), "'"),
        _row("token", "API_TOKEN=", signs(24, LOWER)),
        _row("token", "access_token: ", signs(40, HEX)),
        _row("token", "?access_token=", signs(28), "&limit=5"),
        _row("token", "The token is `", signs(20), "`"),
        _row("api-key", 'api_key = "', signs(32, HEX), '"'),
        _row("api-key", "API key: ", signs(39)),
        _row("api-key", "The API key for the tide service is ", signs(32, LOWER), "."),
        _row("key", "encryption key: ", signs(43) + "="),
        _row("key", "ACCOUNT_KEY=", signs(32)),
        _row("key", "remember the key ", signs(32), " for the tide service"),
        _row("high-entropy", "", signs(40), " is the new token of the bot"),
        _row("key", "key: ", signs(40)),
    ]


SECRETS: tuple[Sample, ...] = (
    *_private_keys(),
    *_clouds(),
    *_forges(),
    *_services(),
    *_models(),
    *_addresses(),
    *_headers(),
    *_assignments(),
)
