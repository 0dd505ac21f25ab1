/** A template whose signer chooses optional rows and quantities. */
const row = (name: string, price: string, options: object = {}) => ({
  name,
  sku: name.toUpperCase(),
  qty: "1",
  price,
  ...options,
});
export const OFFER = {
  world: {
    templates: [
      {
        id: "TemplateChoicexxxxxxxx",
        name: "Choice",
        roles: [{ name: "Client" }],
        fields: [{ name: "Signature", type: "signature", role: "Client" }],
        pricing_tables: [
          {
            name: "Offer",
            currency: "USD",
            items: [
              row("Base", "100"),
              row("Extra", "30", { optional: true }),
              row("Seats", "10", { qty: "2", qty_editable: true }),
            ],
          },
        ],
        quotes: [
          {
            currency: "USD",
            sections: [
              { name: "Setup", items: [{ name: "Onboarding", sku: "ON", price: 400, qty: 1, options: { qty_editable: true } }] },
              {
                name: "Plan",
                settings: { selection_type: "single" },
                items: [
                  { name: "Small", sku: "S", price: 50, qty: 1, options: { selected: true } },
                  { name: "Large", sku: "L", price: 90, qty: 1, options: { selected: false } },
                ],
              },
              { name: "Support", settings: { optional: true, selected: false }, items: [{ name: "Calls", price: 7, qty: 1 }] },
            ],
          },
        ],
      },
    ],
  },
};
