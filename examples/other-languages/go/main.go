// Command shop places orders once, and receives webhooks.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: shop place CART < order.json, or shop webhook PORT")
	}
	topup := newTopup(os.Getenv("TOPUP_BASE_URL"), os.Getenv("TOPUP_API_KEY"))
	if os.Args[1] == "webhook" {
		keys, err := keysOf(os.Getenv("TOPUP_WEBHOOK_SECRET"))
		if err != nil {
			log.Fatal(err)
		}
		log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[2], receiver(topup, keys)))
	}
	order, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	id, err := place(topup, "orders/"+os.Args[2]+".json", order)
	var unknown NotSettled
	switch {
	case errors.As(err, &unknown):
		log.Println(err)
		log.Println("The key is kept: run this again later.")
		os.Exit(75)
	case err != nil:
		log.Fatal("Not ordered: ", err) // exit code 1
	}
	fmt.Println(id)
}
