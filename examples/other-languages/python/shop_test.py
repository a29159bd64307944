import json
import os
import secrets
import string
import time
import unittest
import uuid
import zlib
from decimal import Decimal
from pathlib import Path

from topup import Topup, TopupError
from webhook import WebhookError, keys_of, verify

BASE_URL = os.environ.get("TOPUP_BASE_URL", "http://127.0.0.1:4000/api").rstrip("/")
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
ORDER = json.loads(Path("order.json").read_text())


def new_api_key():
    """A test key. Over a memory store, each key has a world of its own: orders, clock and scenario."""
    text = "tk_test_" + "".join(secrets.choice(BASE62) for _ in range(30))
    checksum, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        checksum, digit = divmod(checksum, 62)
        digits = BASE62[digit] + digits
    return text + digits


class ShopTest(unittest.TestCase):
    def setUp(self):
        api_key = new_api_key()
        self.topup = Topup(BASE_URL, api_key)
        self.sandbox = Topup(BASE_URL.removesuffix("/api") + "/sandbox", api_key)

    def wait_for(self, order_id, wanted, seconds=30):
        end = time.monotonic() + seconds
        while (state := self.topup.state(order_id)) != wanted and time.monotonic() < end:
            time.sleep(0.5)
        self.assertEqual(state, wanted)

    def test_an_order_is_paid_and_delivered(self):
        order_id = self.topup.create_order(ORDER, str(uuid.uuid4()))
        self.assertEqual(self.topup.state(order_id), "UNPAID / Pending")
        self.sandbox.send("POST", f"/orders/{order_id}/pay", {})
        self.wait_for(order_id, "PAID / Sukses")

    def test_a_retry_places_no_second_order(self):
        key = str(uuid.uuid4())
        first = self.topup.create_order(ORDER, key)
        self.assertEqual(self.topup.create_order(ORDER, key), first)

    def test_an_order_that_nobody_pays_expires(self):
        order_id = self.topup.create_order(ORDER, str(uuid.uuid4()))
        self.sandbox.send("POST", "/advance", {"by": "31m"})
        self.assertEqual(self.topup.state(order_id), "EXPIRED / Batal")

    def test_an_invalid_order_is_rejected(self):
        with self.assertRaises(TopupError) as caught:
            self.topup.create_order({**ORDER, "id": ""}, str(uuid.uuid4()))
        error = caught.exception
        self.assertEqual((error.status, error.code, error.next_step), (422, "VALIDATION_ERROR", "stop"))
        self.assertIn("id", error.body["errors"])

    def test_a_fee_in_per_cent_may_have_decimals(self):
        methods = self.topup.send("GET", "/order/mobile-legends").body["paymentMethods"]
        self.assertIn(Decimal("0.7"), [method["fee_percent"] for method in methods])

    def test_only_a_signed_webhook_is_accepted(self):
        webhook = json.loads(Path("webhook.json").read_text())
        keys, now = keys_of(webhook["secret"]), int(webhook["headers"]["webhook-timestamp"])
        body = webhook["body"].encode()
        self.assertEqual(verify(body, webhook["headers"], keys, now)["type"], "order.delivered")
        with self.assertRaisesRegex(WebhookError, "INVALID_WEBHOOK_SIGNATURE"):
            verify(body + b" ", webhook["headers"], keys, now)
        with self.assertRaisesRegex(WebhookError, "STALE_WEBHOOK"):
            verify(body, webhook["headers"], keys, now + 301)


if __name__ == "__main__":
    unittest.main()
