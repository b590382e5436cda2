import { openRecords } from "../../../src/records/open-records.js";
import { newPayment } from "./new-payment.js";

/** Holds a claim and writes payments until the process is killed. Prints each order ID after its payment is stored. */
const [url = ""] = process.argv.slice(2);
const records = await openRecords({ url, onConnectionError: () => undefined });
const { claims, payments } = records.of("killed");
const token = (await claims.acquire("killed", 1_000)) ?? "";
for (let order = 1; await claims.extend("killed", token, 1_000); order += 1) {
  await payments.start(newPayment(order));
  process.stdout.write(`${order}\n`);
}
