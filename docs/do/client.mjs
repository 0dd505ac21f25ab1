// The client that the guides share: one function per call, for any server that speaks the API.
export function clientOf({ url, apiKey }) {
  return async function call(method, path, body) {
    const response = await fetch(`${url}/public/v1${path}`, {
      method,
      headers: { authorization: `API-Key ${apiKey}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
}

export const offer = (name = "Offer 42", metadata = {}) => ({
  name,
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }],
  metadata,
});
