"""Whether a delivery is Tillgate's. Call it before the body is parsed; anything but "ok" is answered 401."""

import base64
import binascii
import hashlib
import hmac
import re
from typing import Iterable, Mapping


def verify_webhook(headers: Mapping[str, str], body: bytes, secrets: Iterable[str], now: int) -> str:
    """
    headers: as received, names in any case. body: exactly as received. secrets: client secrets, or "whsec_…" of
    endpoints; one that signed is enough. now: your clock, in seconds since 1970.

    Returns "ok", "missing_header", "bad_signature" or "stale". Raises ValueError for a secret that is no key.
    """
    keys = [webhook_key(secret) for secret in secrets]
    received = {name.lower(): value for name, value in headers.items()}
    id_ = received.get("webhook-id", "")
    at = received.get("webhook-timestamp", "")
    signatures = received.get("webhook-signature", "")
    if not (id_ and at and signatures):
        return "missing_header"

    given = [one for one in signatures.split(" ") if one.startswith("v1,")]
    well_formed = re.fullmatch(r"[A-Za-z0-9_-]+", id_) and re.fullmatch(r"0|[1-9][0-9]{0,10}", at)
    if not well_formed or len(given) > 16 or not is_utf8(body):
        return "bad_signature"

    genuine = False
    for key in keys:
        digest = hmac.new(key, f"{id_}.{at}.".encode() + body, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        for one in given:
            genuine = hmac.compare_digest(expected, one.encode("utf-8", "backslashreplace")) or genuine
    if not genuine:
        return "bad_signature"
    return "ok" if abs(now - int(at)) <= 300 else "stale"


def webhook_key(secret: str) -> bytes:
    """The bytes that sign: of an endpoint's secret the base64 part, of a client secret the text itself."""
    if secret == "":
        raise ValueError("The webhook secret is empty.")
    if not secret.startswith("whsec_"):
        return secret.encode()
    problem = 'A webhook secret is "whsec_" and the base64 of 24 to 64 bytes.'
    try:
        key = base64.b64decode(secret[len("whsec_") :], validate=True)
    except (binascii.Error, ValueError):
        raise ValueError(problem) from None
    if not 24 <= len(key) <= 64:
        raise ValueError(problem)
    return key


def is_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
