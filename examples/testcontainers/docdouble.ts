// docdouble by Testcontainers (npm install --save-dev testcontainers), from the image that deploy/Dockerfile builds.
// Tried by hand with testcontainers 11.14 over podman's socket: healthy after 3 s, and gone at the end. No test does it, as
// testcontainers is no dependency of docdouble. Version 12 wants Node 22; podman before 4.7 knows no "host-gateway".
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

export const ADMIN_TOKEN = "choose-one";
const PORT = 4010;

/** Starts it and waits until it is healthy. Stop what it returns when the tests are done. */
export async function startDocdouble(): Promise<{ url: string; container: StartedTestContainer }> {
  // A fixed port of the host, as links in mails and answers name the address that they are reached at.
  const url = `http://localhost:${PORT}`;
  const container = await new GenericContainer("docdouble")
    .withExposedPorts({ container: PORT, host: PORT })
    .withEnvironment({ DOCDOUBLE_ADMIN_TOKEN: ADMIN_TOKEN, DOCDOUBLE_PUBLIC_URL: url })
    .withExtraHosts([{ host: "host.docker.internal", ipAddress: "host-gateway" }]) // where webhooks find the test
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  return { url, container };
}
