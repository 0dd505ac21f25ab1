// A server that does no work: it answers every request with the status and the body from its command line.
import { createServer } from "node:http";

const [status = "200", body = ""] = process.argv.slice(2);
const bytes = Buffer.from(body);
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.writeHead(Number(status), { "content-type": "application/json", "content-length": bytes.length });
    response.end(bytes);
  });
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`bare listening on http://127.0.0.1:${server.address().port}\n`));
