import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../../..");
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? path.join(entry.parentPath, entry.name) : [],
  );
const guide = readFileSync(path.join(root, "docs/install-on-woocommerce.md"), "utf8");

/** What the plugin says, and the api where the plugin passes it on. A text that goes on in PHP's next line is one text. */
const said = ["plugin/woocommerce/src/includes", "plugin/rules", "packages/contract/src/errors"]
  .flatMap((folder) => filesOf(path.join(root, folder)))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n")
  .toLowerCase();

/** The rows of the table that begins with this heading, by column. */
function rows(heading: string): string[][] {
  const [, table = ""] = guide.split(`| ${heading} |`);
  const [body = ""] = table.split("\n\n");
  const lines = body.split("\n").slice(2);
  expect(lines.length).toBeGreaterThan(5);
  return lines.map((line) => line.split("|").map((cell) => cell.trim()));
}

/** The parts of a text between what differs from case to case. */
const fixedParts = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/…|rf-…/)
    .map((part) => part.replace(/rf-$/, "").replace(/^[\s,:]+|[\s,:.]+$/g, ""))
    .filter((part) => part.length > 3);

describe("docs/install-on-woocommerce.md", () => {
  it.each(["What you read", "It says"])("quotes under “%s” what is really said", (heading) => {
    for (const [, quoted = ""] of rows(heading))
      for (const part of fixedParts(quoted)) expect([quoted, said.includes(part)]).toEqual([quoted, true]);
  });

  it("names the lines of the health page and the settings as they are called", () => {
    const names = [...rows("Line"), ...rows("Setting")].flatMap(([, name = ""]) => (name === "" ? [] : name));
    expect(names.filter((name) => !said.includes(`'${name.toLowerCase()}'`))).toEqual([]);
  });

  it("shows pictures that are there", () => {
    for (const [, file = ""] of guide.matchAll(/\]\((images\/[^)]+)\)/g))
      expect(readFileSync(path.join(root, "docs", file)).length).toBeGreaterThan(1000);
  });
});
