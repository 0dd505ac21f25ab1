import { createSandbox } from "../../library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../library/types.ts";
import { detailOf, type RemoteFlags, type Reply, Server, ServerError } from "../../cli/server.ts";

export class Session {
  #server: Server | undefined;
  #key: string | undefined;
  #sandbox: Sandbox | undefined;

  constructor(attachedUrl: string | undefined, flags: RemoteFlags) {
    if (attachedUrl !== undefined) this.attach(attachedUrl, flags);
  }

  attach(url: string, flags: RemoteFlags): void {
    this.#server = new Server(url, flags);
    this.#key = flags.key;
  }

  /** Ends the earlier world of this session. @throws SettingsError, ScenarioError */
  async start(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = await createSandbox({ clock: "auto", ...options, port: 0 });
    await this.#sandbox?.close();
    this.#sandbox = sandbox;
    this.attach(sandbox.url, { key: sandbox.apiKey });
    return sandbox;
  }

  async connection(): Promise<{ url: string; api_key: string | null; inspector: string; reference: string }> {
    const { url } = await this.#open();
    return { url, api_key: this.#key ?? null, inspector: `${url}/__admin/`, reference: `${url}/docs` };
  }

  /** @throws ServerError with the reason of a refusal */
  async admin(method: string, path: string, body?: unknown): Promise<Reply["body"]> {
    const reply = await this.tried(method, path, body);
    if (!reply.ok) throw new ServerError(detailOf(reply));
    return reply.body;
  }

  /** @param scenario YAML or JSON. @throws ServerError with its mistakes */
  async load(scenario: string): Promise<Reply["body"]> {
    const reply = await (await this.#open()).send("POST", "/__admin/scenarios", scenario);
    if (!reply.ok) throw new ServerError(detailOf(reply));
    return reply.body;
  }

  async tried(method: string, path: string, body?: unknown): Promise<Reply> {
    return (await this.#open()).call(method, `/__admin${path}`, body);
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  async #open(): Promise<Server> {
    if (!this.#server) await this.start({});
    return this.#server as Server;
  }
}
