/** What each story sends. */
export const offer = {
  name: "Offer",
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }],
};
export const headers = { Authorization: "API-Key docdouble-key" };
