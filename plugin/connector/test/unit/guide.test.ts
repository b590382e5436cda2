import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../../..");
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.join(entry.parentPath, entry.name) : [],
  );
const guide = readFileSync(path.join(root, "docs/connect-a-headless-shop.md"), "utf8");
const sources = ["plugin/connector/src", "plugin/rules"]
  .flatMap((folder) => filesOf(path.join(root, folder)))
  .map((file) => readFileSync(file, "utf8").replace(/`/g, ""))
  .join("\n");

it("docs/connect-a-headless-shop.md quotes texts that exist in the connector", () => {
  const [, table = ""] = guide.split("| Symptom | Cause and remedy |");
  const quoted = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, text = ""]) => text);
  expect(quoted.length).toBeGreaterThan(5);
  for (const text of quoted)
    for (const part of text.split("…").map((one) => one.trim()))
      if (part.length > 3) expect([text, sources.includes(part)]).toEqual([text, true]);
});

it("docs/connect-a-headless-shop.md mentions only existing settings", () => {
  const names = new Set(
    [...guide.matchAll(/\b(?:CONNECTOR_[A-Z_]+|[a-z]+(?:_[a-z]+)+)\b/g)].map(([name]) => name),
  );
  const ours = [...names].filter((name) => !/^(tg|tgs|ck|cs|test)_/.test(name));
  expect(ours).toEqual(expect.arrayContaining(["CONNECTOR_DATABASE_URL", "hold_stock_minutes"]));
  expect(ours.filter((name) => !sources.includes(name))).toEqual([]);
});
