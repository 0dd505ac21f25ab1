/**
 * A process can hold several classes with the name `Request` or `Response`: of Node, of hono's server, of a test runner's realm. So
 * `instanceof` would miss some objects.
 */
export function isRequest(value: unknown): value is Request {
  return tagOf(value) === "[object Request]";
}

export function isResponse(value: unknown): value is Response {
  return tagOf(value) === "[object Response]";
}

function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value);
}
