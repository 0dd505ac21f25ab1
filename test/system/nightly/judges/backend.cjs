/** Prints how many operations openapi-backend takes from the description, and what it says of a wrong request. */
const { default: OpenAPIBackend } = require("openapi-backend");

async function main() {
  const backend = new OpenAPIBackend({ definition: require("./openapi.json"), strict: true });
  await backend.init();
  const request = { method: "PATCH", path: "/public/v1/documents/a/status", headers: {}, body: { status: 3 } };
  const { errors } = backend.validateRequest(request);
  console.log(backend.getOperations().length, errors?.[0]?.message);
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
