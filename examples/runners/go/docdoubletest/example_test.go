package docdoubletest

// An example. Replace sendOffer with your client: give it double.URL and double.Key. Run it with: go test ./docdoubletest

import (
	"testing"
	"time"
)

type document struct{ ID, Status string }

func sendOffer(double *Double) (int, string) {
	recipient := map[string]string{"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}
	offer := map[string]any{"name": "Offer", "template_uuid": "TemplateOneSignerxxxxx", "recipients": []any{recipient}}
	var made document
	double.Call("POST", "/public/v1/documents", offer, &made)
	path := "/public/v1/documents/" + made.ID
	for {
		var seen document
		double.Call("GET", path, nil, &seen)
		if seen.Status != "document.uploaded" {
			break
		}
		time.Sleep(time.Second) // docdouble moves its clock while you wait
	}
	return double.Call("POST", path+"/send", map[string]any{"silent": true}, nil), path
}

func TestAnOfferIsSent(t *testing.T) {
	double := New(t)
	status, path := sendOffer(double)
	if status != 200 {
		t.Errorf("the send answers %d", status)
	}
	var seen document
	double.Call("GET", path, nil, &seen)
	if seen.Status != "document.sent" {
		t.Errorf("the document is %s", seen.Status)
	}
}
