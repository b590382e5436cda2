import { openRecords } from "../../../src/records/open-records.js";
import { newPayment } from "./new-payment.js";

/** Writes until it is killed: says each order's number once its payment is stored, under a claim that it keeps. */
const [url = ""] = process.argv.slice(2);
const records = await openRecords({ url, onConnectionError: () => undefined });
const { claims, payments } = records.of("killed");
const token = (await claims.take("killed", 1_000)) ?? "";
for (let order = 1; await claims.keep("killed", token, 1_000); order += 1) {
  await payments.start(newPayment(order));
  process.stdout.write(`${order}\n`);
}
