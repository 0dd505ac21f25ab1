import type { World } from "../../model/world.ts";

export function keepFile(world: World, file: { name: string; type: string; bytes: Uint8Array }): string {
  const id = world.ids.uuid();
  world.store.files.put({ id, name: file.name, type: file.type, base64: Buffer.from(file.bytes).toString("base64") });
  return id;
}
