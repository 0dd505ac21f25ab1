// Gives each worker of a test runner its own world, in one server that all workers share.
const worker = process.env.VITEST_POOL_ID || process.env.JEST_WORKER_ID || String(process.pid);

export const url = process.env.DOCDOUBLE_URL || "http://127.0.0.1:4010";
/** The key of this worker's world. The server makes the world from the fixtures on first use. Other workers do not see it. */
export const apiKey = `test-worker-${worker}`;

/**
 * Controls this worker's world: `await admin("POST", "/clock/advance", { by: "3d" })` moves its clock. Call `admin("POST", "/reset")`
 * before each test.
 */
export async function admin(method, path, body) {
  const token = process.env.DOCDOUBLE_ADMIN_TOKEN;
  const response = await fetch(`${url}/__admin${path}`, {
    method,
    headers: {
      authorization: `API-Key ${apiKey}`,
      "content-type": "application/json",
      ...(token ? { "x-docdouble-admin-token": token } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
