import { loadExamples } from "./examples.ts";
import { exportOpenApi } from "./export.ts";

export const openapi = {
  /** The served operations in OpenAPI 3.1. `url` is the address of the server. */
  describe: async (url: string, version: string): Promise<object> => exportOpenApi(url, version, await loadExamples(url)),
};
