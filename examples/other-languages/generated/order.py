import json, os, sys, uuid
import openapi_client as topup

client = topup.ApiClient(topup.Configuration(host=os.environ["TOPUP_BASE_URL"]))
client.set_default_header("X-API-KEY", os.environ["TOPUP_API_KEY"])
orders = topup.OrdersApi(client)

player, product = sys.argv[1], int(sys.argv[2])
order = topup.CreateOrderRequest(
    game="mobile-legends", product_id=product, payment_method_id=12, id=player, server="2012", whatsapp="081234567890"
)
try:
    # The same key places one order, however often it is sent.
    placed = orders.create_order(order, idempotency_key=str(uuid.uuid4()))
    invoice = orders.get_invoice(placed.order_id).order
    print(invoice.order_id, invoice.payment_status, invoice.total_price)
except topup.ApiException as error:
    body = json.loads(error.body)
    print(error.status, error.headers["X-Error-Code"], body["message"])
    for field, messages in body.get("errors", {}).items():
        print(f"  {field}: {messages[0]}")
