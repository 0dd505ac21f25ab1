/** `run --intercept` in each language: also clients that know no proxy reach docdouble, and only docdouble. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const URL = "https://api.pandadoc.com/public/v1/templates";

interface Language {
  program: string;
  name: string;
  /** Prints a line for each way: its name and what the call said. A way whose library is missing prints nothing. */
  text: string;
  /** The ways that need no library. */
  ways: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Python: {
    program: "python3",
    name: "client.py",
    ways: ["urllib", "urllib without proxies", "http.client", "http.client in other letters", "asyncio", "own trust", "lookup"],
    text: `import asyncio, http.client, socket, ssl, urllib.request
url, head = ${JSON.stringify(URL)}, {"Authorization": "API-Key docdouble-key"}
ways = {}
def way(name):
    return lambda call: ways.setdefault(name, call)
@way("urllib")
def _(): return urllib.request.urlopen(urllib.request.Request(url, headers=head)).status
@way("urllib without proxies")
def _(): return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(urllib.request.Request(url, headers=head)).status
def plain(host):
    one = http.client.HTTPSConnection(host)
    one.request("GET", "/public/v1/templates", headers=head)
    return one.getresponse().status
@way("http.client")
def _(): return plain("api.pandadoc.com")
@way("http.client in other letters")
def _(): return plain("API.PandaDoc.com")
async def stream():
    reader, writer = await asyncio.open_connection("api.pandadoc.com", 443, ssl=ssl.create_default_context())
    writer.write(b"GET /public/v1/templates HTTP/1.1\\r\\nhost: api.pandadoc.com\\r\\nauthorization: API-Key docdouble-key\\r\\nconnection: close\\r\\n\\r\\n")
    line = await reader.readline()
    writer.close()
    return int(line.split()[1])
@way("asyncio")
def _(): return asyncio.run(stream())
@way("own trust")
def _():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return urllib.request.urlopen(urllib.request.Request(url, headers=head), context=context).status
@way("lookup")
def _(): return 200 if socket.gethostbyname("app.pandadoc.com").startswith("127.") else 0
for library in ("requests", "httpx", "urllib3", "aiohttp"):
    try:
        __import__(library)
    except ImportError:
        continue
    import importlib
    module = importlib.import_module(library)
    if library == "requests":
        def _sessions(module=module):
            one = module.Session()
            one.trust_env = False
            return one.get(url, headers=head).status_code
        ways["requests"] = lambda module=module: module.get(url, headers=head).status_code
        ways["requests without variables"] = _sessions
    if library == "httpx":
        ways["httpx"] = lambda module=module: module.get(url, headers=head).status_code
        ways["httpx without variables"] = lambda module=module: module.Client(trust_env=False).get(url, headers=head).status_code
        async def _client(module=module):
            async with module.AsyncClient(trust_env=False) as one:
                return (await one.get(url, headers=head)).status_code
        ways["httpx async"] = lambda: asyncio.run(_client())
    if library == "urllib3":
        ways["urllib3"] = lambda module=module: module.PoolManager().request("GET", url, headers=head).status
    if library == "aiohttp":
        async def _session(module=module):
            async with module.ClientSession() as one, one.get(url, headers=head) as answer:
                return answer.status
        ways["aiohttp"] = lambda: asyncio.run(_session())
for name, call in ways.items():
    try:
        print(name + ":", call())
    except Exception as error:
        print(name + ":", repr(error)[:200])`,
  },
  PHP: {
    program: "php",
    name: "client.php",
    ways: ["file_get_contents", "fopen", "a default context", "the user's first file"],
    text: `<?php
$url = ${JSON.stringify(URL)};
$options = ['http' => ['header' => "Authorization: API-Key docdouble-key\\r\\n", 'ignore_errors' => true]];
function said(string $name, string $line): void { echo $name, ': ', preg_replace('/^HTTP\\S+ (\\d+).*$/', '$1', $line), "\\n"; }
@file_get_contents($url, false, stream_context_create($options));
said('file_get_contents', $http_response_header[0] ?? 'nothing');
$stream = @fopen($url, 'r', false, stream_context_create($options, ['notification' => fn () => null]));
said('fopen', $stream ? stream_get_meta_data($stream)['wrapper_data'][0] : 'nothing');
stream_context_set_default($options);
$http_response_header = [];
@file_get_contents($url);
said('a default context', $http_response_header[0] ?? 'nothing');
said("the user's first file", getenv('PHP_INI_SCAN_DIR') && defined('FIRST') ? '200' : 'did not run');
if (function_exists('curl_init')) {
    $curl = curl_init($url);
    curl_setopt_array($curl, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ['Authorization: API-Key docdouble-key']]);
    curl_exec($curl);
    said('curl', (string) (curl_getinfo($curl, CURLINFO_HTTP_CODE) ?: curl_error($curl)));
}
if (is_file('/usr/share/php/GuzzleHttp/autoload.php')) {
    require '/usr/share/php/GuzzleHttp/autoload.php';
    said('guzzle', (string) (new GuzzleHttp\\Client())->get($url, ['headers' => ['Authorization' => 'API-Key docdouble-key']])->getStatusCode());
}`,
  },
  Ruby: {
    program: "ruby",
    name: "client.rb",
    ways: ["net/http", "net/http without a proxy", "open-uri", "a socket"],
    text: `require "net/http"; require "open-uri"; require "openssl"
uri, head = URI(${JSON.stringify(URL)}), { "Authorization" => "API-Key docdouble-key" }
ways = {
  "net/http" => -> { Net::HTTP.start(uri.host, uri.port, use_ssl: true) { |one| one.get(uri.path, head).code } },
  "net/http without a proxy" => -> { one = Net::HTTP.new(uri.host, uri.port, nil); one.use_ssl = true; one.get(uri.path, head).code },
  "open-uri" => -> { uri.open(head) { |one| one.status[0] } },
  "a socket" => -> do
    secure = OpenSSL::SSL::SSLSocket.new(Socket.tcp("API.pandadoc.com", 443))
    secure.hostname = "api.pandadoc.com"
    secure.connect
    secure.write("GET /public/v1/templates HTTP/1.1\\r\\nhost: api.pandadoc.com\\r\\nauthorization: API-Key docdouble-key\\r\\nconnection: close\\r\\n\\r\\n")
    secure.gets.split[1]
  end,
}
%w[httparty faraday].each do |name|
  require name
rescue LoadError
  nil
end
ways["httparty"] = -> { HTTParty.get(uri.to_s, headers: head).code } if defined?(HTTParty)
ways["faraday"] = -> { Faraday.get(uri.to_s, nil, head).status } if defined?(Faraday)
ways.each do |name, call|
  puts "#{name}: #{call.call}"
rescue => error
  puts "#{name}: #{error.message[0, 200]}"
end`,
  },
  Go: {
    program: "go",
    name: "main.go",
    ways: ["the default client", "a copy of its transport"],
    text: `package main

import (
	"fmt"
	"net/http"
)

func say(name string, client *http.Client) {
	request, _ := http.NewRequest("GET", ${JSON.stringify(URL)}, nil)
	request.Header.Set("Authorization", "API-Key docdouble-key")
	answer, err := client.Do(request)
	if err != nil {
		fmt.Println(name+":", err)
		return
	}
	fmt.Println(name+":", answer.StatusCode)
}

func main() {
	say("the default client", http.DefaultClient)
	say("a copy of its transport", &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()})
}`,
  },
  Java: {
    program: "java",
    name: "Client.java",
    ways: ["HttpClient", "HttpURLConnection"],
    text: `import java.net.*;
import java.net.http.*;

public class Client {
    public static void main(String[] args) throws Exception {
        var url = ${JSON.stringify(URL)};
        var request = HttpRequest.newBuilder(URI.create(url)).header("Authorization", "API-Key docdouble-key").build();
        System.out.println("HttpClient: " + HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        var connection = (HttpURLConnection) new URL(url).openConnection();
        connection.setRequestProperty("Authorization", "API-Key docdouble-key");
        System.out.println("HttpURLConnection: " + connection.getResponseCode());
    }
}`,
  },
};

/** \`go version\` has no dashes. */
const has = (program: string) =>
  spawnSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" }).status === 0;

describe("run --intercept", () => {
  for (const [language, { program, name, text, ways }] of Object.entries(LANGUAGES))
    test.skipIf(!has(program))(
      `${language}: each usual client with a fixed host reaches docdouble`,
      async () => {
        const file = files({ [name]: text, "own.ini": "", "first.php": "<?php define('FIRST', true);" });
        const folder = file.slice(0, -name.length);
        const settings = files({ "own.ini": `auto_prepend_file="${folder}first.php"\n` }).replace(/own\.ini$/, "");
        const command = program === "go" ? ["go", "run", file] : [program, file];
        const { stdout, stderr, code } = await run(["run", "--intercept", "--", ...command], {
          env: { GOFLAGS: "-mod=mod", GO111MODULE: "off", PHP_INI_SCAN_DIR: `:${settings}` },
        });
        expect(code, stderr).toBe(0);
        const said = Object.fromEntries(stdout.split("\n").flatMap((line) => (line.includes(": ") ? [line.split(": ")] : [])));
        expect(Object.keys(said)).toEqual(expect.arrayContaining([...ways]));
        expect(new Set(Object.values(said)), stdout).toEqual(new Set(["200"]));
      },
      120_000,
    );

  test.skipIf(!has("python3"))("keeps a client that knows no proxy away from other hosts of the service", async () => {
    const file = files({
      "client.py": `import http.client
try:
    one = http.client.HTTPSConnection("status.pandadoc.com")
    one.request("GET", "/")
    print("answered", one.getresponse().status)
except OSError as error:
    print("refused")`,
    });
    expect(await run(["run", "--intercept", "--", "python3", file])).toMatchObject({
      code: 0,
      stdout: "refused\n",
      stderr: expect.stringContaining(
        "docdouble answers api.pandadoc.com and app.pandadoc.com. It never connects status.pandadoc.com",
      ),
    });
  });

  test.skipIf(!has("python3"))("virtual sleeps, interception and a sitecustomize of the user work together", async () => {
    const file = files({
      "client.py": `import http.client, mark, time
began = time.monotonic()
time.sleep(3600)
one = http.client.HTTPSConnection("api.pandadoc.com")
one.request("GET", "/public/v1/templates", headers={"Authorization": "API-Key docdouble-key"})
print(one.getresponse().status, time.monotonic() - began >= 3600, mark.made)`,
      "mark.py": "made = False",
      "sitecustomize.py": "import mark\nmark.made = True",
    });
    const { stdout } = await run(["run", "--intercept", "--clock", "auto", "--", "python3", file], {
      env: { PYTHONPATH: file.replace(/\/client\.py$/, "") },
    });
    expect(stdout).toBe("200 True True\n");
  });

  test.skipIf(!has("python3"))("a lost connection is the same error in Python as without a proxy", async () => {
    const file = files({
      "client.py": `import http.client, urllib.request
call = urllib.request.Request("https://api.pandadoc.com/public/v1/templates", headers={"Authorization": "API-Key docdouble-key"})
try:
    urllib.request.urlopen(call)
except (http.client.RemoteDisconnected, ConnectionResetError) as error:
    print(call.has_proxy(), urllib.request.getproxies()["no"].split(",")[-1])
try:
    import requests
    from requests.adapters import HTTPAdapter
    from urllib3.util.retry import Retry
except ImportError:
    raise SystemExit
session = requests.Session()
session.mount("https://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0)))
body = {"email": "one@client.example"}
try:
    session.post("https://api.pandadoc.com/public/v1/contacts", json=body, headers={"Authorization": "API-Key docdouble-key"})
except requests.exceptions.ConnectionError as error:
    assert type(error) is requests.exceptions.ConnectionError, error`,
      "lost.yaml": `version: 1
name: lost
rules:
  - { name: lists, when: { operation: listTemplates }, then: { network: reset } }
  - { name: contacts, when: { operation: createContact }, then: { network: reset, phase: after } }
expect:
  requests:
    - { match: { operation: listTemplates }, times: 1 }
    - { match: { operation: createContact }, at_most: 1, note: not repeated blindly }
`,
    });
    const ended = await run(["run", file.replace("client.py", "lost.yaml"), "--intercept", "--", "python3", file]);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("False pandadoc.com\n") });
  });
});

test("hosts that the user reaches without a proxy stay so, except those of the service", async () => {
  const print = "console.log(process.env.NO_PROXY, process.env.no_proxy === process.env.NO_PROXY)";
  const { code, stdout } = await run(["run", "--intercept", "--", process.execPath, "-e", print], {
    env: { NO_PROXY: " build.example , *,.pandadoc.com, api.pandadoc.com:443,10.0.0.0/8" },
  });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "localhost,127.0.0.1,::1,build.example,10.0.0.0/8 true\n" });
});
