"""A client of a top-up service. It needs only the standard library."""

import email.utils
import http.client
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from decimal import Decimal
from typing import NamedTuple


class Response(NamedTuple):
    status: int  # 0: there was no response
    headers: dict  # names in lower case
    body: dict  # empty if the body was empty, cut off, or a page


class TopupError(Exception):
    """What came instead of a usable response. `code` is the error code, or empty."""

    def __init__(self, response, message):
        self.status, self.headers, self.body = response
        self.code = self.headers.get("x-error-code", "")
        super().__init__(" ".join(filter(None, [str(self.status or ""), self.code, message])))

    @property
    def next_step(self):
        """What to do with an order that got this error: "again", "stop" or "look up", as in the table of the guide."""
        honoured = "idempotency-key" in self.headers
        if self.status in (429, 503) or (honoured and self.code in ("PAYMENT_FAILED", "SAVE_FAILED")):
            return "again"
        if self.code == "IDEMPOTENCY_IN_FLIGHT" or self.status in (0, 302, 303, 408) or self.status >= 500:
            return "look up"
        if 200 <= self.status < 300 and (self.body.get("success") is not False or "orderId" in self.body):
            return "look up"
        return "stop"

    @property
    def retry_after(self):
        """The seconds that the service asks to wait, or None."""
        value = self.headers.get("retry-after", "")
        if value.isdecimal():
            return int(value)
        try:
            return max(0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError):
            return None


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *_):
        return None


class Topup:
    def __init__(self, base_url, api_key):
        self.base_url, self.api_key = base_url.rstrip("/"), api_key
        self.opener = urllib.request.build_opener(NoRedirect)

    def send(self, method, path, body=None, key=None):
        """Returns the response if it is a success in JSON. Raises TopupError otherwise."""
        headers = {"Accept": "application/json", "Content-Type": "application/json", "X-API-KEY": self.api_key}
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base_url + path, data, headers, method=method)
        try:
            response = self.opener.open(request, timeout=30)
        except urllib.error.HTTPError as error:
            response = error  # any other status than 2xx
        except (OSError, http.client.HTTPException) as error:
            raise TopupError(Response(0, {}, {}), f"No response from {self.base_url}: {error}") from error
        with response:
            return self._read(response)

    def _read(self, response):
        try:
            # Amounts are whole rupiah; fee_percent may be 0.7, which a float can't hold exactly.
            body = json.loads(response.read(), parse_float=Decimal)
        except (OSError, http.client.HTTPException, ValueError):
            body = None
        is_object = isinstance(body, dict)
        headers = {name.lower(): value for name, value in response.headers.items()}
        result = Response(response.status, headers, body if is_object else {})
        if 200 <= result.status < 300 and is_object and body.get("success") is not False:
            return result
        message = result.body.get("message") or "The body is not JSON, or was cut off."
        if 300 <= result.status < 400:
            message = f"The service redirects to {headers.get('location')}. Set TOPUP_BASE_URL to its new address."
        raise TopupError(result, message)

    def create_order(self, order, key):
        """Returns the id of the order. The same key in every attempt: a service that honours it places one order."""
        response = self.send("POST", "/order", order, key)
        if not response.body.get("orderId"):
            raise TopupError(response, "The response has no orderId.")
        return response.body["orderId"]

    def find_order(self, key):
        """Returns the id of the order with this key, or None. Raises TopupError if the service can't tell."""
        response = self.send("GET", "/orders?" + urllib.parse.urlencode({"idempotency_key": key}))
        if response.headers.get("idempotency-supported") != "true":
            raise TopupError(response, "The service does not say that it honours keys.")
        orders = response.body["data"]
        return orders[0]["order_id"] if orders else None

    def state(self, order_id):
        """Returns the state of an order, such as "PAID / Sukses"."""
        data = self.send("GET", f"/invoice/{order_id}/payment-status").body["data"]
        return f"{data['payment_status']} / {data['buy_status']}"
