import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderReceiverSamples } from "../../docs/receiver-samples.js";

it.each([...renderReceiverSamples()])("%s shows the tested webhook receivers", (file, text) => {
  expect(readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")).toBe(text);
});

it("every file that npm run docs:samples writes contains a webhook receiver", () => {
  for (const [file, text] of renderReceiverSamples())
    expect(text, file).toContain("Receives Tillgate's webhooks");
});
