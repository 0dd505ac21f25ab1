import { exportOpenApi31, loadMoreExamples, type MoreExamples } from "./export-31.ts";
import { exportOpenApi, loadExamples } from "./export.ts";

export type Refusals = MoreExamples["refusals"];

/** The served operations in OpenAPI. `url` is the address of the server. */
export const openapi = {
  describe: async (url: string, version: string): Promise<object> => exportOpenApi(url, version, await loadExamples(url)),
  /** In OpenAPI 3.1, with webhooks, links and more examples. */
  describe31: async (url: string, version: string): Promise<object> =>
    exportOpenApi31(url, version, await loadExamples(url), await loadMoreExamples(url)),
  /** A body of each refusal, by operation and status. */
  refusals: async (url: string): Promise<Refusals> => (await loadMoreExamples(url)).refusals,
};
