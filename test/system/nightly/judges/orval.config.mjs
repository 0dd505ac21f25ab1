export default {
  docdouble: {
    input: "./openapi.json",
    output: { target: "./made/orval.ts", client: "fetch", baseUrl: { getBaseUrlFromSpecification: true } },
  },
};
