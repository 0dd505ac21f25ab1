// What a file of tests does in its own process: it imports the library, opens a sandbox, and signs one document.
import { createSandbox } from "../dist/index.js";

const sandbox = await createSandbox({ clock: "frozen", seed: 7 });
const { id } = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
sandbox.documents.simulate(id, "sign");
if (sandbox.documents.get(id).status !== "document.completed") throw new Error("the document is not completed");
await sandbox.close();
