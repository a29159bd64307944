package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Topup is a client of a top-up service. It needs only the standard library.
type Topup struct {
	baseURL, apiKey string
	http            *http.Client
}

func newTopup(baseURL, apiKey string) *Topup {
	return &Topup{strings.TrimRight(baseURL, "/"), apiKey, &http.Client{
		Timeout: 30 * time.Second,
		// A redirect would send the key to another host.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// TopupError is what came instead of a usable response.
type TopupError struct {
	Status  int // 0: there was no response
	Code    string
	Message string
	OrderID string // of an order that exists already
	Header  http.Header
	success bool
}

func (e *TopupError) Error() string {
	return fmt.Sprintf("%d %s %s", e.Status, e.Code, e.Message)
}

// NextStep says what to do with an order that got this error: "again", "stop" or "look up", as in the table of the guide.
func (e *TopupError) NextStep() string {
	switch {
	case e.Header.Get("Idempotency-Key") != "" && (e.Code == "PAYMENT_FAILED" || e.Code == "SAVE_FAILED"):
		return "again"
	case e.Code == "IDEMPOTENCY_IN_FLIGHT":
		return "look up"
	}
	switch e.Status {
	case 429, 503:
		return "again"
	case 0, 302, 303, 408:
		return "look up"
	}
	if e.Status >= 500 || e.Status < 300 && (e.success || e.OrderID != "") {
		return "look up"
	}
	return "stop"
}

// RetryAfter is how long the service asks to wait, or otherwise the given time.
func (e *TopupError) RetryAfter(otherwise time.Duration) time.Duration {
	value := e.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(value); err == nil {
		return time.Until(date)
	}
	return otherwise
}

// What every response may have.
type body struct {
	Success *bool  `json:"success"`
	Message string `json:"message"`
	OrderID string `json:"orderId"`
}

// Send decodes the JSON of a success into result. Other responses, and none, are a *TopupError.
func (t *Topup) Send(method, path string, send, result any, key string) (http.Header, error) {
	var content io.Reader
	if send != nil {
		text, err := json.Marshal(send)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, t.baseURL+path, content)
	if err != nil {
		return nil, err
	}
	// Otherwise Go itself can resend a request with a key, and a service that ignores keys places two orders.
	request.GetBody = nil
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-API-KEY", t.apiKey)
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := t.http.Do(request)
	if err != nil {
		return nil, &TopupError{Message: err.Error()}
	}
	defer response.Body.Close()
	// Half of a body is no JSON.
	text, _ := io.ReadAll(response.Body)
	var known body
	err = json.Unmarshal(text, &known)
	isSuccess := known.Success == nil || *known.Success
	if response.StatusCode/100 == 2 && err == nil && isSuccess && json.Unmarshal(text, result) == nil {
		return response.Header, nil
	}
	message := known.Message
	if response.StatusCode/100 == 3 {
		message = "The service redirects to " + response.Header.Get("Location") + ". Set TOPUP_BASE_URL to its new address."
	} else if message == "" {
		message = "The body is not JSON, or was cut off."
	}
	code := response.Header.Get("X-Error-Code")
	return response.Header, &TopupError{response.StatusCode, code, message, known.OrderID, response.Header, isSuccess}
}

// CreateOrder returns the id of the order. The same key in every attempt: a service that honours it places one order.
func (t *Topup) CreateOrder(order json.RawMessage, key string) (string, error) {
	var placed body
	header, err := t.Send("POST", "/order", order, &placed, key)
	if err == nil && placed.OrderID == "" {
		err = &TopupError{Status: 201, Message: "The response has no orderId.", Header: header, success: true}
	}
	return placed.OrderID, err
}

// FindOrder returns the id of the order with this key, or "". It fails if the service can't tell.
func (t *Topup) FindOrder(key string) (string, error) {
	var list struct {
		Data []struct {
			OrderID string `json:"order_id"`
		} `json:"data"`
	}
	header, err := t.Send("GET", "/orders?"+url.Values{"idempotency_key": {key}}.Encode(), nil, &list, "")
	switch {
	case err != nil:
		return "", err
	case header.Get("Idempotency-Supported") != "true":
		return "", &TopupError{Status: 200, Message: "The service does not say that it honours keys.", Header: header}
	case len(list.Data) == 0:
		return "", nil
	}
	return list.Data[0].OrderID, nil
}

// State returns the state of an order, such as "PAID / Sukses".
func (t *Topup) State(id string) (string, error) {
	var response struct {
		Data struct {
			PaymentStatus string `json:"payment_status"`
			BuyStatus     string `json:"buy_status"`
		} `json:"data"`
	}
	_, err := t.Send("GET", "/invoice/"+id+"/payment-status", nil, &response, "")
	return response.Data.PaymentStatus + " / " + response.Data.BuyStatus, err
}
