package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Event is what happened.
type Event struct {
	ID   string `json:"-"`
	Type string `json:"type"`
	Data struct {
		Order struct {
			OrderID string `json:"order_id"`
		} `json:"order"`
	} `json:"data"`
}

// keysOf returns the keys of secrets, which are separated by spaces while one is rotated.
func keysOf(secrets string) (keys [][]byte, err error) {
	for _, secret := range strings.Split(secrets, " ") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) < 24 {
			return nil, errors.New("TOPUP_WEBHOOK_SECRET must be whsec_ and the base64 of 24 to 64 bytes")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// verify returns the event of a webhook. The body is the bytes as they arrived. The text of an error is an error code.
func verify(body []byte, header http.Header, keys [][]byte, now time.Time) (event Event, err error) {
	id, timestamp, signatures := header.Get("webhook-id"), header.Get("webhook-timestamp"), header.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return event, errors.New("MISSING_WEBHOOK_HEADER")
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := now.Unix() - seconds; err != nil || age > 300 || age < -300 {
		return event, errors.New("STALE_WEBHOOK")
	}
	for _, key := range keys {
		hash := hmac.New(sha256.New, key)
		fmt.Fprintf(hash, "%s.%s.%s", id, timestamp, body)
		own := "v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil))
		for _, given := range strings.Split(signatures, " ") {
			// In constant time: the time of a comparison must not tell how much of a signature is right.
			if hmac.Equal([]byte(own), []byte(given)) {
				event.ID = id
				return event, json.Unmarshal(body, &event)
			}
		}
	}
	return event, errors.New("INVALID_WEBHOOK_SIGNATURE")
}

// receiver handles webhooks.
func receiver(topup *Topup, keys [][]byte) http.HandlerFunc {
	var done sync.Map // In a shop: a table, written in the transaction that does the work.
	return func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		event, err := verify(body, request.Header, keys, time.Now())
		if err != nil {
			response.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(response, err)
			return
		}
		if _, again := done.Load(event.ID); !again && strings.HasPrefix(event.Type, "order.") {
			// An older event can arrive after a newer one, so ask for the state.
			state, err := topup.State(event.Data.Order.OrderID)
			if err != nil {
				response.WriteHeader(http.StatusServiceUnavailable) // It comes again later.
				return
			}
			fmt.Println(event.Data.Order.OrderID, "is", state)
		}
		done.Store(event.ID, true) // After the work.
		response.WriteHeader(http.StatusNoContent)
	}
}
