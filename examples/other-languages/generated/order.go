package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"strconv"

	topup "shop/openapi"
)

func main() {
	config := topup.NewConfiguration()
	config.Servers = topup.ServerConfigurations{{URL: os.Getenv("TOPUP_BASE_URL")}}
	config.AddDefaultHeader("X-API-KEY", os.Getenv("TOPUP_API_KEY"))
	orders := topup.NewAPIClient(config).OrdersApi

	product, _ := strconv.ParseInt(os.Args[2], 10, 64)
	order := topup.NewCreateOrderRequest(os.Args[1], "mobile-legends", product, 12)
	order.SetServer("2012")
	order.SetWhatsapp("081234567890")
	// The key is stored with the cart before the order is sent: the same key places one order, however often it is sent.
	placed, response, err := orders.CreateOrder(context.Background()).CreateOrderRequest(*order).IdempotencyKey(os.Args[3]).Execute()
	var failure topup.GenericOpenAPIError
	if errors.As(err, &failure) {
		code, body := response.Header.Get("X-Error-Code"), topup.ErrorBody{}
		if json.Unmarshal(failure.Body(), &body) != nil {
			code, body.Message = "without a code:", "The response is not JSON."
		}
		fmt.Println(response.StatusCode, code, body.Message)
		for field, messages := range body.GetErrors() {
			fmt.Printf("  %s: %s\n", field, messages[0])
		}
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	invoice, _, err := orders.GetInvoice(context.Background(), placed.OrderId).Execute()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(invoice.Order.OrderId, invoice.Order.PaymentStatus, invoice.Order.TotalPrice)
}
