import { openRecords } from "../../../src/records/open-records.js";

/** Writes until it is killed: says each order's number once its attempt is stored, under a claim that it keeps. */
const [url = ""] = process.argv.slice(2);
const { claims, attempts } = await openRecords({ url, onConnectionError: () => undefined });
const token = (await claims.take("killed", 1_000)) ?? "";
for (let order = 1; await claims.keep("killed", token, 1_000); order += 1) {
  await attempts.start("killed", {
    storeOrderId: order,
    amountMinor: 100n,
    currency: "EUR",
    credential: { mode: "sandbox", clientId: "ci_demo" },
    checkInMs: 60_000,
    request: {
      amount: "1.00",
      currency: "EUR",
      payment_method: "both",
      reference: String(order),
      description: "Order",
      callback_url: "http://connector.test/",
      return_url: "http://store.test/",
      cancel_url: "http://store.test/",
      expires_in: 900,
      idempotency_key: crypto.randomUUID(),
    },
  });
  process.stdout.write(`${order}\n`);
}
