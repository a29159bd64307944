"""Receives webhooks: TOPUP_WEBHOOK_SECRET=whsec_... python3 webhook.py 3000"""

import base64
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from topup import Topup, TopupError

TOLERANCE = 300  # seconds


class WebhookError(Exception):
    """The request is not a webhook of the service. Its text is the error code."""


def keys_of(secrets):
    """The keys of one secret, or of several separated by spaces while a secret is rotated."""
    keys = [base64.b64decode(secret.removeprefix("whsec_"), validate=True) for secret in secrets.split()]
    if not keys or min(map(len, keys)) < 24:
        raise ValueError("TOPUP_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 bytes.")
    return keys


def verify(body, headers, keys, now):
    """Returns the event. `body` is the bytes as they arrived, `now` unix seconds. Raises WebhookError."""
    names = ("webhook-id", "webhook-timestamp", "webhook-signature")
    event_id, timestamp, signatures = (headers.get(name, "") for name in names)
    if not (event_id and timestamp and signatures):
        raise WebhookError("MISSING_WEBHOOK_HEADER")
    if not timestamp.isdecimal() or abs(now - int(timestamp)) > TOLERANCE:
        raise WebhookError("STALE_WEBHOOK")
    signed = f"{event_id}.{timestamp}.".encode() + body
    for key in keys:
        own = b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256"))
        # In constant time: the time of a comparison must not tell how much of a signature is right.
        if any(hmac.compare_digest(own, given.encode()) for given in signatures.split(" ")):
            return {**json.loads(body), "id": event_id}
    raise WebhookError("INVALID_WEBHOOK_SIGNATURE")


class Receiver(BaseHTTPRequestHandler):
    topup, keys = None, []
    done = set()  # In a shop: a table, written in the transaction that does the work.

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            event = verify(body, self.headers, self.keys, time.time())
        except WebhookError as error:
            self.respond(400, str(error))
            return
        if event["type"].startswith("order.") and event["id"] not in self.done:
            # An older event can arrive after a newer one, so ask for the state.
            order_id = event["data"]["order"]["order_id"]
            try:
                state = self.topup.state(order_id)
            except TopupError as error:
                self.respond(503, str(error))  # It comes again later.
                return
            print(f"{order_id} is {state}", flush=True)
        self.done.add(event["id"])
        self.respond(204)

    def respond(self, status, text=""):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    Receiver.keys = keys_of(os.environ.get("TOPUP_WEBHOOK_SECRET", ""))
    Receiver.topup = Topup(os.environ["TOPUP_BASE_URL"], os.environ["TOPUP_API_KEY"])
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
