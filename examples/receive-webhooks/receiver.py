"""
Receives Tillgate's webhooks: verifies each, processes it once, then returns 2xx. A WSGI application, for any server
that runs them (gunicorn receiver:application); to try it, `python3 receiver.py`. Environment variables:

TILLGATE_WEBHOOK_SECRET  the client secret for an order's callback_url, or the whsec_… secret of an endpoint; several,
                         separated by spaces, while one is being replaced
TILLGATE_DATABASE        an SQLite file; use your shop's database in its place
"""

import base64
import binascii
import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import time
from contextlib import closing
from socketserver import ThreadingMixIn
from typing import Iterable, Mapping
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

MAX_BODY_BYTES = 256 * 1024
REASONS = {200: "OK", 401: "Unauthorized", 405: "Method Not Allowed", 413: "Content Too Large", 500: "Server Error"}


def handle_event(event: dict, database: sqlite3.Connection) -> None:
    """
    Handles an event in the transaction that also stores its ID. An exception rolls both back, and Tillgate sends the
    event again.
    """
    if event["event"] == "pos.order.paid":
        order = event["data"]
        # Compare order, amount and currency with your own records before you ship.
        print(f"Order {order['order_id']} is paid: {order['amount']} {order['currency']}", flush=True)
    elif event["event"] == "payout.completed":
        print(f"Payout {event['payout_id']} completed", flush=True)
    # Ignore events you don't use; new ones may be added.


def receive(environ: dict) -> int:
    """Returns the response status; Tillgate retries anything other than 2xx."""
    if environ["REQUEST_METHOD"] != "POST":
        return 405
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if length > MAX_BODY_BYTES:
        return 413
    body = environ["wsgi.input"].read(length)
    headers = {name: environ.get("HTTP_" + name.upper().replace("-", "_"), "") for name in HEADERS}
    secrets = os.environ.get("TILLGATE_WEBHOOK_SECRET", "").split(" ")
    if verify_webhook(headers, body, secrets, int(time.time())) != "ok":
        return 401
    event = json.loads(body)
    with closing(sqlite3.connect(os.environ["TILLGATE_DATABASE"], timeout=10)) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS tillgate_events (id TEXT PRIMARY KEY)")
        if database.execute("INSERT OR IGNORE INTO tillgate_events VALUES (?)", [event["id"]]).rowcount == 1:
            handle_event(event, database)
    return 200


def application(environ: dict, start_response) -> list:
    try:
        status = receive(environ)
    except Exception as error:  # no caller may end the process
        print(repr(error), file=sys.stderr, flush=True)
        status = 500
    start_response(f"{status} {REASONS[status]}", [("Content-Length", "0")])
    return []


HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


def verify_webhook(headers: Mapping[str, str], body: bytes, secrets: Iterable[str], now: int) -> str:
    """
    headers: as received, names in any case. body: exactly as received. secrets: client secrets, or "whsec_…" of
    endpoints; a signature by one of them is enough. now: your clock, in seconds since 1970.

    Returns "ok", "missing_header", "bad_signature" or "stale". Raises ValueError for an invalid secret.
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
    """
    The HMAC key: the decoded base64 part of an endpoint's secret, or the bytes of a client secret. Raises ValueError
    for an empty or malformed secret.
    """
    if secret == "":
        raise ValueError("The webhook secret is empty.")
    if not secret.startswith("whsec_"):
        return secret.encode()
    problem = 'A webhook secret must be "whsec_" followed by 24 to 64 base64-encoded bytes.'
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


if __name__ == "__main__":

    class Server(ThreadingMixIn, WSGIServer):
        daemon_threads = True

    class Handler(WSGIRequestHandler):
        timeout = 10

    make_server("", int(os.environ.get("PORT", "3000")), application, Server, Handler).serve_forever()
