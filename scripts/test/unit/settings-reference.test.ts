import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { renderSettingsReference } from "../../docs/settings-reference.js";

it("docs/settings.md matches the programs' settings (npm run docs:settings)", () => {
  const written = readFileSync(new URL("../../../docs/settings.md", import.meta.url), "utf8");
  expect(written).toBe(renderSettingsReference());
});
