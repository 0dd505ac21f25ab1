import { service } from "../service/service.ts";

export async function printAssumptions(isJson: boolean): Promise<void> {
  const records = await service.ledger();
  if (isJson) {
    process.stdout.write(`${JSON.stringify(records, null, 2)}\n`);
    return;
  }
  const lines = records.map(({ id, statement, readings, default: value, switchable }) => {
    const choice = switchable ? `  [${readings.map((one) => (one === value ? `*${one}` : one)).join(", ")}]` : "";
    return `${id}${choice}\n    ${statement}\n`;
  });
  const switches = records.filter((one) => one.switchable).length;
  process.stdout.write(
    `${lines.join("")}\n${records.length} assumptions, ${switches} switchable with --assume ID=VALUE. A star marks the default.\n`,
  );
}
