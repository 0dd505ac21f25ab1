/** deploy/kubernetes.yaml, read by the schemas of Kubernetes that the package kubernetes-models ships. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { files, serve } from "../../support/process.ts";

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has another shape
  spec: any;
}

type Model = new (content: object) => { validate(): void };

// The package stands in `test/system`, and not every check of types installs it.
const load = createRequire(import.meta.url);

const manifests = parseAllDocuments(readFileSync("deploy/kubernetes.yaml", "utf8")).map((one) => {
  expect(one.errors).toEqual([]);
  return one.toJS() as Manifest;
});

const find = (kind: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind);
  if (!found) throw new Error(`no ${kind}`);
  return found;
};

function validate({ apiVersion, kind, ...rest }: Manifest): void {
  const models = load(`kubernetes-models/${apiVersion}`) as Record<string, Model>;
  const model = models[kind];
  if (!model) throw new Error(`Kubernetes has no ${kind} in ${apiVersion}`);
  new model({ apiVersion, kind, ...rest }).validate();
}

describe("deploy/kubernetes.yaml", () => {
  test.each(manifests.map((one) => [one.kind, one] as const))("%s meets the schema of Kubernetes", (_, manifest) => {
    validate(manifest);
  });

  test.each<[string, (spec: Manifest["spec"]) => void]>([
    ["a text as the number of replicas", (spec) => Object.assign(spec, { replicas: "one" })],
    ["an unknown strategy", (spec) => Object.assign(spec.strategy, { rollingUpdate: "fast" })],
    ["no containers", (spec) => delete spec.template.spec.containers],
    ["a container without a name", (spec) => delete spec.template.spec.containers[0].name],
    ["a probe without a port", (spec) => delete spec.template.spec.containers[0].readinessProbe.httpGet.port],
  ])("the schema refuses %s, so the check can fail", (_, spoil) => {
    const broken = structuredClone(find("Deployment"));
    spoil(broken.spec);
    expect(() => validate(broken)).toThrow();
  });

  test("names agree: the service finds the pods, and volumes, ports and the secret exist", () => {
    const { spec } = find("Deployment");
    const labels = spec.template.metadata.labels;
    expect(spec.selector.matchLabels).toEqual(labels);
    expect(find("Service").spec.selector).toEqual(labels);
    const [container] = spec.template.spec.containers;
    expect(find("Service").spec.ports[0].targetPort).toBe(container.ports[0].name);
    const volumes = spec.template.spec.volumes.map((one: { name: string }) => one.name);
    expect(container.volumeMounts.map((one: { name: string }) => one.name)).toEqual(volumes);
    expect(spec.template.spec.volumes[0].persistentVolumeClaim.claimName).toBe(find("PersistentVolumeClaim").metadata.name);
  });

  test("docdouble takes the arguments and answers the probes", async () => {
    const { args, readinessProbe, livenessProbe, ports } = find("Deployment").spec.template.spec.containers[0];
    const data = `${files()}/state.jsonl`;
    const given = args.map((one: string) => (one === "/data/state.jsonl" ? data : one));
    const { url, stop } = await serve([...given, "--port", "0"], { env: { DOCDOUBLE_ADMIN_TOKEN: "token-of-the-server" } });
    for (const { httpGet } of [readinessProbe, livenessProbe]) expect((await fetch(url + httpGet.path)).status).toBe(200);
    const refused = await fetch(`${url}/public/v1/documents`, { headers: { authorization: "API-Key test-nobody" } });
    expect(refused.status).toBe(401);
    const listed = await fetch(`${url}/__admin/tenants`, {
      method: "POST",
      headers: { "x-docdouble-admin-token": "token-of-the-server" },
      body: JSON.stringify({ id: "test-shop" }),
    });
    expect(listed.status).toBe(201);
    const { stdout } = await stop();
    expect(stdout).toContain('"who":"server"');
    expect(stdout).not.toContain("token-of-the-server");
    expect(ports[0].containerPort).toBe(4010);
  });
});
