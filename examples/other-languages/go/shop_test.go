package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/big"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func random(below int64) int64 {
	number, err := rand.Int(rand.Reader, big.NewInt(below))
	must(err)
	return number.Int64()
}

func readJSON(file string, result any) {
	text, err := os.ReadFile(file)
	must(err)
	must(json.Unmarshal(text, result))
}

// newAPIKey makes a test key. Over a memory store, each key has a world of its own: orders, clock and scenario.
func newAPIKey() string {
	text := "tk_test_"
	for i := 0; i < 30; i++ {
		text += string(base62[random(62)])
	}
	end, checksum := "", crc32.ChecksumIEEE([]byte(text))
	for i := 0; i < 6; i++ {
		end = string(base62[checksum%62]) + end
		checksum /= 62
	}
	return text + end
}

func newKey() string { return fmt.Sprintf("%x", random(1<<62)) }

// shop has a world of its own.
type shop struct {
	topup, sandbox *Topup
	order          json.RawMessage
}

func newShop() (s shop) {
	baseURL := strings.TrimRight(os.Getenv("TOPUP_BASE_URL"), "/")
	if baseURL == "" {
		baseURL = "http://127.0.0.1:4000/api"
	}
	key := newAPIKey()
	s.topup, s.sandbox = newTopup(baseURL, key), newTopup(strings.TrimSuffix(baseURL, "/api")+"/sandbox", key)
	readJSON("order.json", &s.order)
	return s
}

func (s shop) create(key string) string {
	id, err := s.topup.CreateOrder(s.order, key)
	must(err)
	return id
}

func (s shop) control(path string, body any) {
	_, err := s.sandbox.Send("POST", path, body, &struct{}{}, "")
	must(err)
}

func (s shop) state(id string) string {
	state, err := s.topup.State(id)
	must(err)
	return state
}

func expect(t *testing.T, wanted, got any) {
	if got != wanted {
		t.Errorf("expected %v, got %v", wanted, got)
	}
}

func TestAnOrderIsPaidAndDelivered(t *testing.T) {
	s := newShop()
	id := s.create(newKey())
	expect(t, "UNPAID / Pending", s.state(id))
	s.control("/orders/"+id+"/pay", struct{}{})
	for end := time.Now().Add(30 * time.Second); s.state(id) != "PAID / Sukses" && time.Now().Before(end); {
		time.Sleep(500 * time.Millisecond)
	}
	expect(t, "PAID / Sukses", s.state(id))
}

func TestARetryPlacesNoSecondOrder(t *testing.T) {
	s, key := newShop(), newKey()
	expect(t, s.create(key), s.create(key))
}

func TestAnOrderThatNobodyPaysExpires(t *testing.T) {
	s := newShop()
	id := s.create(newKey())
	s.control("/advance", map[string]string{"by": "31m"})
	expect(t, "EXPIRED / Batal", s.state(id))
}

func TestAnInvalidOrderIsRejected(t *testing.T) {
	_, err := newShop().topup.CreateOrder(json.RawMessage(`{"id": ""}`), newKey())
	var failure *TopupError
	if !errors.As(err, &failure) {
		t.Fatal("expected an error")
	}
	expect(t, "VALIDATION_ERROR", failure.Code)
	expect(t, "stop", failure.NextStep())
}

func TestAFeeInPerCentMayHaveDecimals(t *testing.T) {
	var checkout struct {
		PaymentMethods []struct {
			Code       string      `json:"code"`
			FeePercent json.Number `json:"fee_percent"`
		} `json:"paymentMethods"`
	}
	_, err := newShop().topup.Send("GET", "/order/mobile-legends", nil, &checkout, "")
	must(err)
	percent := map[string]json.Number{}
	for _, method := range checkout.PaymentMethods {
		percent[method.Code] = method.FeePercent
	}
	expect(t, json.Number("0.7"), percent["QRIS2"])
}

func TestOnlyASignedWebhookIsAccepted(t *testing.T) {
	var webhook struct {
		Secret, Body string
		Headers      map[string]string
	}
	readJSON("webhook.json", &webhook)
	header := http.Header{}
	for name, value := range webhook.Headers {
		header.Set(name, value)
	}
	keys, err := keysOf(webhook.Secret)
	must(err)
	seconds, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	must(err)
	now := time.Unix(seconds, 0)
	event, err := verify([]byte(webhook.Body), header, keys, now)
	must(err)
	expect(t, "order.delivered", event.Type)
	_, err = verify([]byte(webhook.Body+" "), header, keys, now)
	expect(t, "INVALID_WEBHOOK_SIGNATURE", err.Error())
	_, err = verify([]byte(webhook.Body), header, keys, now.Add(301*time.Second))
	expect(t, "STALE_WEBHOOK", err.Error())
}
