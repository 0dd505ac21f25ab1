// Runs docdouble with Testcontainers (npm install --save-dev testcontainers), from the image that deploy/Dockerfile builds.
// We tried it by hand with testcontainers 11.14 and podman's socket: the container is healthy after 3 s, and removed at the end.
// No test starts the container, because docdouble does not depend on testcontainers. Version 12 needs Node 22. "host-gateway" needs
// podman 4.7 or newer.
import { GenericContainer, type StartedTestContainer, Wait } from "testcontainers";

export const ADMIN_TOKEN = "choose-one";
const PORT = 4010;

/** Starts docdouble and waits until it is healthy. Stop the container after the tests. */
export async function startDocdouble(): Promise<{ url: string; container: StartedTestContainer }> {
  // A fixed port of the host, because links in mails and answers contain this address.
  const url = `http://localhost:${PORT}`;
  const container = await new GenericContainer("docdouble")
    .withExposedPorts({ container: PORT, host: PORT })
    .withEnvironment({ DOCDOUBLE_ADMIN_TOKEN: ADMIN_TOKEN, DOCDOUBLE_PUBLIC_URL: url })
    .withExtraHosts([{ host: "host.docker.internal", ipAddress: "host-gateway" }]) // webhooks reach the test at this name
    .withWaitStrategy(Wait.forHealthCheck())
    .start();
  return { url, container };
}
