package main

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const longestWait = time.Minute

// NotSettled says that the order may exist, or may be placed by another attempt. Its key is kept.
type NotSettled struct{ error }

// A record is what is stored of an order.
type record struct {
	Key     string          `json:"key"`
	Order   json.RawMessage `json:"order"`
	OrderID string          `json:"order_id"`
}

// write makes a new file, which survives a crash once it is moved to its place.
func write(folder string, stored record) (path string, err error) {
	text, err := json.Marshal(stored)
	if err != nil {
		return "", err
	}
	file, err := os.CreateTemp(folder, "new")
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err = file.Write(text); err == nil {
		err = file.Sync()
	}
	return file.Name(), err
}

// remember stores an order with a new key. It returns what is stored, and whether an earlier run has stored it.
func remember(path string, order json.RawMessage) (stored record, earlier bool, err error) {
	key := make([]byte, 16)
	if _, err = rand.Read(key); err != nil {
		return stored, false, err
	}
	temporary, err := write(filepath.Dir(path), record{Key: hex.EncodeToString(key), Order: order})
	if err != nil {
		return stored, false, err
	}
	defer os.Remove(temporary)
	err = os.Link(temporary, path)
	earlier = errors.Is(err, fs.ErrExist)
	if err != nil && !earlier {
		return stored, false, err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return stored, earlier, err
	}
	defer folder.Close()
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &stored)
	}
	if err == nil {
		err = folder.Sync()
	}
	return stored, earlier, err
}

// settle returns the id of the order. An earlier attempt may have placed it if mayExist is true.
func settle(topup *Topup, path string, stored record, mayExist bool) (string, error) {
	for wait := time.Second; ; wait *= 2 {
		if mayExist {
			found, err := topup.FindOrder(stored.Key)
			if err != nil {
				return "", NotSettled{fmt.Errorf("the order may exist, but can't be looked up: %w", err)}
			}
			if found != "" {
				return found, nil
			}
		}
		id, err := topup.CreateOrder(stored.Order, stored.Key)
		var failure *TopupError
		if !errors.As(err, &failure) {
			return id, err
		}
		if failure.Code == "IDEMPOTENCY_KEY_USED" {
			return failure.OrderID, nil
		}
		next := failure.NextStep()
		// The service sends only these two after it has looked for an order with the key.
		if next == "stop" && (!mayExist || failure.Status == 404 || failure.Status == 422) {
			os.Remove(path)
			return "", failure
		}
		mayExist = mayExist || next == "look up"
		pause := failure.RetryAfter(wait)
		if next == "stop" || wait > 4*time.Second || pause > longestWait {
			return "", NotSettled{fmt.Errorf("there is no order yet that is known: %w", failure)}
		}
		time.Sleep(pause)
	}
}

// place returns the id of the order, whose file is at path. It fails with a *TopupError if there is none and none will be.
func place(topup *Topup, path string, order json.RawMessage) (string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	stored, earlier, err := remember(path, order)
	if err != nil || stored.OrderID != "" {
		return stored.OrderID, err
	}
	if stored.OrderID, err = settle(topup, path, stored, earlier); err != nil {
		return "", err
	}
	temporary, err := write(filepath.Dir(path), stored)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	return stored.OrderID, err
}
