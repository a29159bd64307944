import json, os, sys
import openapi_client as topup

client = topup.ApiClient(topup.Configuration(host=os.environ["TOPUP_BASE_URL"]))
client.set_default_header("X-API-KEY", os.environ["TOPUP_API_KEY"])
orders = topup.OrdersApi(client)

player, product, key = sys.argv[1], int(sys.argv[2]), sys.argv[3]
order = topup.CreateOrderRequest(
    game="mobile-legends", product_id=product, payment_method_id=12, id=player, server="2012", whatsapp="081234567890"
)
try:
    # The key is stored with the cart before the order is sent: the same key places one order, however often it is sent.
    placed = orders.create_order(order, idempotency_key=key)
    invoice = orders.get_invoice(placed.order_id).order
    print(invoice.order_id, invoice.payment_status, invoice.total_price)
except topup.ApiException as error:
    try:
        body = json.loads(error.body)
    except ValueError:
        body = {"message": "The response is not JSON."}
    print(error.status, error.headers.get("X-Error-Code", "without a code:"), body["message"])
    for field, messages in body.get("errors", {}).items():
        print(f"  {field}: {messages[0]}")
