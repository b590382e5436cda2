/** A connector process for tests that kill it. Handles one delivery; options and delivery are JSON on standard input. */
import { text } from "node:stream/consumers";
import { createPayClient } from "@tillgate/client";
import { createConnector, openRecords, woocommerceStore } from "@tillgate/connector";

const { recordsUrl, settings, store, tillgate, mail } = JSON.parse(await text(process.stdin));
const records = await openRecords({ url: recordsUrl, onConnectionError: () => undefined });
const silent = () => undefined;
const connector = createConnector({
  ...records.of(settings.storeId),
  settings,
  store: woocommerceStore(store),
  tillgate: createPayClient(tillgate),
  log: { info: silent, warn: silent, error: silent },
});
const outcome = await connector.receiveWebhook({
  headers: mail.headers,
  body: Buffer.from(mail.body, "base64"),
});
await records.close();
process.stdout.write(JSON.stringify(outcome));
