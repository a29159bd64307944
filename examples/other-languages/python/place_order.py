"""Places the order of a cart, once, however often it runs: python3 place_order.py CART < order.json"""

import json
import os
import sys
import tempfile
import time
import uuid
from pathlib import Path

from topup import Topup, TopupError

LONGEST_WAIT = 60  # seconds


class NotSettled(Exception):
    """The order may exist, or may be placed by another attempt. Its key is kept."""


def write(folder, record):
    """Writes a new file, which survives a crash once it is moved to its place."""
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "w") as file:
        json.dump(record, file)
        file.flush()
        os.fsync(file.fileno())
    return Path(path)


def sync(folder):
    """Has the names of a folder's files survive a power cut, too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remember(path, order):
    """Stores an order with a new key. Returns what is stored, and whether an earlier run has stored it."""
    temporary = write(path.parent, {"key": str(uuid.uuid4()), "order": order, "order_id": None})
    try:
        os.link(temporary, path)
        earlier = False
    except FileExistsError:
        earlier = True
    temporary.unlink()
    sync(path.parent)
    return json.loads(path.read_text()), earlier


def settle(topup, path, record, may_exist):
    """Returns the id of the order. `may_exist`: an earlier attempt may have placed it."""
    for wait in (1, 2, 4, None):
        try:
            found = topup.find_order(record["key"]) if may_exist else None
        except TopupError as error:
            raise NotSettled(f"The order may exist, but can't be looked up: {error}") from error
        try:
            return found or topup.create_order(record["order"], record["key"])
        except TopupError as error:
            if error.code == "IDEMPOTENCY_KEY_USED":
                return error.body["orderId"]
            # The service sends only these two after it has looked for an order with the key.
            if error.next_step == "stop" and (not may_exist or error.status in (404, 422)):
                path.unlink()
                raise
            may_exist = may_exist or error.next_step == "look up"
            if wait is not None and error.retry_after is not None:
                wait = error.retry_after
            if error.next_step == "stop" or wait is None or wait > LONGEST_WAIT:
                raise NotSettled(f"There is no order yet that is known: {error}") from error
            time.sleep(wait)


def place(topup, path, order):
    """Returns the id of the order, whose file is at `path`. Raises TopupError if there is none and none will be."""
    path.parent.mkdir(exist_ok=True)
    record, earlier = remember(path, order)
    if record["order_id"] is None:
        record["order_id"] = settle(topup, path, record, may_exist=earlier)
        write(path.parent, record).replace(path)
    return record["order_id"]


if __name__ == "__main__":
    client = Topup(os.environ["TOPUP_BASE_URL"], os.environ["TOPUP_API_KEY"])
    try:
        print(place(client, Path("orders", f"{sys.argv[1]}.json"), json.load(sys.stdin)))
    except NotSettled as error:
        print(f"{error}\nThe key is kept: run this again later.", file=sys.stderr)
        sys.exit(75)
    except TopupError as error:
        sys.exit(f"Not ordered: {error}")
