import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settingsReference } from "../../docs/settings-reference.js";

it("docs/settings.md is what the tables of settings say: npm run docs:settings makes it", () => {
  const written = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  expect(written).toBe(settingsReference());
});
