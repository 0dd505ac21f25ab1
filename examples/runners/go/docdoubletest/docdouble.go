// Package docdoubletest runs tests against docdouble: one server for the tests of a package, and one tenant for each test.
//
//	double := docdoubletest.New(t)
//	client := NewClient(double.URL, double.Key)
package docdoubletest

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Double is for the client under test. The key selects a tenant of this test alone.
type Double struct {
	URL, Key string
	t        *testing.T
}

var (
	once   sync.Once
	server string
	failed error
	// The server ends with its input, so it ends with this process.
	input io.WriteCloser
)

// New starts the server once, or attaches to DOCDOUBLE_URL, as under `docdouble run`.
func New(t *testing.T) *Double {
	t.Helper()
	once.Do(func() { server, failed = start() })
	if failed != nil {
		t.Fatal(failed)
	}
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		t.Fatal(err)
	}
	double := &Double{URL: server, Key: "test-" + hex.EncodeToString(random), t: t}
	// `docdouble explore` sets this variable, and `run` with a scenario or a file to write, because these concern one key only.
	if os.Getenv("DOCDOUBLE_ONE_WORLD") != "" {
		double.Key = os.Getenv("DOCDOUBLE_API_KEY")
		return double
	}
	t.Cleanup(double.end)
	return double
}

func (d *Double) end() {
	d.t.Helper()
	for _, problem := range d.problems() {
		d.t.Error("docdouble found a mistake: " + problem)
	}
	if d.t.Failed() {
		d.t.Log("What happened:\n" + d.WhatHappened())
	}
	d.Call("DELETE", "/__admin/tenants/"+d.Key, nil, nil)
}

// Call returns the status, and reads the body into answer, also of a refusal.
func (d *Double) Call(method, path string, body, answer any) int {
	d.t.Helper()
	data, isFile := body.([]byte)
	if body != nil && !isFile {
		data, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, d.URL+path, bytes.NewReader(data))
	if err != nil {
		d.t.Fatal(err)
	}
	request.Header.Set("Authorization", "API-Key "+d.Key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	if answer != nil && len(text) > 0 {
		if err := json.Unmarshal(text, answer); err != nil {
			d.t.Fatal(err)
		}
	}
	return response.StatusCode
}

// LoadWorld lets the test go on in a world that `run --save-world` wrote. Its calls do not count as calls of the test.
func (d *Double) LoadWorld(file string) {
	d.t.Helper()
	world, err := os.ReadFile(file)
	if err != nil {
		d.t.Fatal(err)
	}
	var refusal struct{ Detail string }
	if d.Call("PUT", "/__admin/world", world, &refusal) != 200 {
		d.t.Fatal(file + ": " + refusal.Detail)
	}
	d.Call("DELETE", "/__admin/requests", nil, nil)
}

// WhatHappened has one line for each call of the test, oldest first.
func (d *Double) WhatHappened() string {
	var journal struct {
		Requests []struct {
			Request  struct{ Method, URL string }
			Response struct{ Status int }
			Why      string
		}
	}
	d.Call("GET", "/__admin/requests", nil, &journal)
	lines := []string{}
	for i := len(journal.Requests) - 1; i >= 0; i-- {
		one := journal.Requests[i]
		line := fmt.Sprintf("%s %s -> %d", one.Request.Method, one.Request.URL, one.Response.Status)
		if one.Why != "" {
			line += " (" + one.Why + ")"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// Calls of unknown paths, and mistakes that the service accepts.
func (d *Double) problems() []string {
	var unmatched struct {
		Requests []struct{ Method, URL string }
	}
	d.Call("GET", "/__admin/requests/unmatched", nil, &unmatched)
	var lint struct {
		Findings []struct{ Kind, Message, Fix string }
	}
	d.Call("GET", "/__admin/contract", nil, &lint)
	found := []string{}
	for _, one := range unmatched.Requests {
		found = append(found, "unknown path: "+one.Method+" "+one.URL)
	}
	for _, one := range lint.Findings {
		found = append(found, one.Kind+": "+one.Message+" "+one.Fix)
	}
	return found
}

func start() (string, error) {
	if url := os.Getenv("DOCDOUBLE_URL"); url != "" {
		return strings.TrimRight(url, "/"), nil
	}
	program, err := command()
	if err != nil {
		return "", err
	}
	process := exec.Command(program, "start", "--port", "0", "--clock", "auto", "--seed", "1", "--log", "silent", "--stop-with-input")
	if input, err = process.StdinPipe(); err != nil {
		return "", err
	}
	output, err := process.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := process.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(output).ReadString('\n')
	_, url, found := strings.Cut(strings.TrimSpace(line), " on ")
	if err != nil || !found {
		return "", fmt.Errorf("docdouble did not start: %s %v", line, err)
	}
	return url, nil
}

// docdouble of the project, of a folder above, or on PATH.
func command() (string, error) {
	folder, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if found, err := exec.LookPath(filepath.Join(folder, "node_modules", ".bin", "docdouble")); err == nil {
			return found, nil
		}
		if folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	found, err := exec.LookPath("docdouble")
	if err != nil {
		return "", errors.New("docdouble is missing: add it to node_modules with npm install, or put it on PATH")
	}
	return found, nil
}
