import json
import os
import secrets
import string
import time
import unittest
import urllib.error
import urllib.request
import uuid
import zlib

BASE_URL = os.environ.get("TOPUP_BASE_URL", "http://127.0.0.1:4000/api").rstrip("/")
SANDBOX_URL = BASE_URL.removesuffix("/api") + "/sandbox"
BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def new_key():
    """A test key. Over a memory store, each key has a world of its own: orders, clock and scenario."""
    text = "tk_test_" + "".join(secrets.choice(BASE62) for _ in range(30))
    checksum, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        checksum, digit = divmod(checksum, 62)
        digits = BASE62[digit] + digits
    return text + digits


class Topup:
    def __init__(self, key):
        self.key = key

    def send(self, method, url, body=None, headers=None):
        request = urllib.request.Request(
            url,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={
                "Accept": "application/json",
                "Content-Type": "application/json",
                "X-API-KEY": self.key,
                **(headers or {}),
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def create_order(self, order, idempotency_key):
        # The same key in every attempt: a service that honours it places one order.
        return self.send("POST", f"{BASE_URL}/order", order, {"Idempotency-Key": idempotency_key})

    def state(self, order_id):
        _, body = self.send("GET", f"{BASE_URL}/invoice/{order_id}/payment-status")
        return body["data"]["payment_status"], body["data"]["buy_status"]

    def wait_for(self, order_id, wanted, seconds=30):
        end = time.monotonic() + seconds
        while (state := self.state(order_id)) != wanted and time.monotonic() < end:
            time.sleep(0.5)
        return state

    def control(self, path, body=None):
        status, response = self.send("POST", SANDBOX_URL + path, body or {})
        assert status == 200, response


ORDER = {
    "id": "12345678",
    "server": "2012",
    "game": "mobile-legends",
    "product_id": 901,
    "payment_method_id": 12,
    "whatsapp": "081234567890",
}


class ShopTest(unittest.TestCase):
    def setUp(self):
        self.topup = Topup(new_key())

    def test_an_order_is_paid_and_delivered(self):
        status, created = self.topup.create_order(ORDER, str(uuid.uuid4()))
        self.assertEqual(status, 201, created)
        order_id = created["orderId"]
        self.assertEqual(self.topup.state(order_id), ("UNPAID", "Pending"))
        self.topup.control(f"/orders/{order_id}/pay")
        self.assertEqual(self.topup.wait_for(order_id, ("PAID", "Sukses")), ("PAID", "Sukses"))

    def test_a_retry_places_no_second_order(self):
        key = str(uuid.uuid4())
        first = self.topup.create_order(ORDER, key)
        self.assertEqual(self.topup.create_order(ORDER, key), first)

    def test_an_order_that_nobody_pays_expires(self):
        _, created = self.topup.create_order(ORDER, str(uuid.uuid4()))
        self.topup.control("/advance", {"by": "31m"})
        self.assertEqual(self.topup.state(created["orderId"]), ("EXPIRED", "Batal"))

    def test_an_invalid_order_is_rejected(self):
        status, body = self.topup.create_order({**ORDER, "id": ""}, str(uuid.uuid4()))
        self.assertEqual(status, 422)
        self.assertIn("id", body["errors"])


if __name__ == "__main__":
    unittest.main()
