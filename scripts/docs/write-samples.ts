/** `npm run docs:samples`: writes the webhook receivers of examples/receive-webhooks into the documents that show them. */
import { writeFileSync } from "node:fs";
import { renderReceiverSamples } from "./receiver-samples.js";

for (const [file, text] of renderReceiverSamples())
  writeFileSync(new URL(`../../${file}`, import.meta.url), text);
