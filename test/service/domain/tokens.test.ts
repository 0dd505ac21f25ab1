/** Variables that fill themselves. */
import { expect, test } from "vitest";
import { fillOwnTokens } from "../../../src/service/nouns/content/content.ts";

const FACTS = {
  recipients: [
    { roles: ["Client", "Payer"], first_name: "Ivo", last_name: "Berg", email: "ivo@client.example" },
    { roles: [], first_name: "Ada", last_name: "Lind", email: "ada@client.example" },
  ],
  sender: { first_name: "Nora", last_name: "Lind", email: "nora@northpeak.example" },
  created: "2026-03-02",
};
const filled = (names: string[], input: { name: string; value: string }[] = []) =>
  fillOwnTokens(
    names.map((name) => ({ name, value: "" })),
    FACTS as never,
    input,
  ).map(({ name, value }) => `${name}=${value}`);

test.each([
  ["Sender.FirstName", "Nora"],
  ["Sender.LastName", "Lind"],
  ["Sender.Email", "nora@northpeak.example"],
  ["Document.CreatedDate", "2026-03-02"],
  ["Client.FirstName", "Ivo"],
  ["Payer.LastName", "Berg"],
  ["Client.Company", ""],
  ["Deal.Name", ""],
])("%s, the only variable of a document, becomes %j", (name, value) => {
  expect(filled([name])).toEqual([`${name}=${value}`]);
});

test("a document without variables keeps none, and a variable of the request stays as it is", () => {
  expect(filled([])).toEqual([]);
  const given = [{ name: "Sender.FirstName", value: "" }];
  expect(filled(["Sender.FirstName", "Sender.LastName"], given)).toEqual(["Sender.FirstName=", "Sender.LastName=Lind"]);
});
