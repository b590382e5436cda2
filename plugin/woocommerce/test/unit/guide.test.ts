import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../../..");
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.join(entry.parentPath, entry.name) : [],
  );
const guide = readFileSync(path.join(root, "docs/install-on-woocommerce.md"), "utf8");

/** Sources of the plugin's texts, including API errors that it displays. */
const sources = ["plugin/woocommerce/src/includes", "plugin/rules", "packages/contract/src/errors"]
  .flatMap((folder) => filesOf(path.join(root, folder)))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n")
  .toLowerCase();

/** Returns the cells of the table whose header starts with this heading. */
function rows(heading: string): string[][] {
  const [, table = ""] = guide.split(`| ${heading} |`);
  const [body = ""] = table.split("\n\n");
  const lines = body.split("\n").slice(2);
  expect(lines.length).toBeGreaterThan(5);
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}

/** Returns the parts of a text between its variable parts. */
const fixedParts = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/…|rf-…/)
    .map((part) => part.replace(/rf-$/, "").replace(/^[\s,:]+|[\s,:.]+$/g, ""))
    .filter((part) => part.length > 3);

describe("docs/install-on-woocommerce.md", () => {
  it.each(["Message", "Result"])(
    "quotes only texts of the plugin or the API in the table “%s”",
    (heading) => {
      for (const [, quoted = ""] of rows(heading))
        for (const part of fixedParts(quoted))
          expect([quoted, sources.includes(part)]).toEqual([quoted, true]);
    },
  );

  it("uses the plugin's titles for lines of the status page and for settings", () => {
    const names = [...rows("Line"), ...rows("Setting")].flatMap(([, name = ""]) => (name === "" ? [] : name));
    expect(names.filter((name) => !sources.includes(`'${name.toLowerCase()}'`))).toEqual([]);
  });

  it("links only to images that exist", () => {
    for (const [, file = ""] of guide.matchAll(/\]\((images\/[^)]+)\)/g))
      expect(readFileSync(path.join(root, "docs", file)).length).toBeGreaterThan(1000);
  });
});
