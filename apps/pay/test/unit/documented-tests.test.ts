import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orderStatusSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { noticeCodeSchema } from "../../src/notice";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const document = readFileSync(join(root, "docs/testing-your-checkout.md"), "utf8");
const source = ["pages", "views"]
  .map((folder) => join(root, "apps/pay/src", folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

/** The names in a table's first column. */
const names = (heading: string): string[] => {
  const table = document.split(`## ${heading}`)[1]?.split("\n## ")[0] ?? "";
  const cells = [...table.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = ""]) => cell);
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name = ""]) => name))
    .filter((name) => !name.startsWith("data-"));
};

describe("docs/testing-your-checkout.md", () => {
  it("shows the sample tests exactly as they run", () => {
    const visible = [...document.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
    const run = ["checkout", "complaints"].map((name) =>
      readFileSync(join(root, `e2e/tests/sample-${name}.spec.ts`), "utf8"),
    );
    expect(visible).toEqual(run);
  });

  it("lists exactly the test IDs on the page", () => {
    const used = [...source.matchAll(/(?:data-testid=|testId=|testId: |balanceId=)\{?["`](pay-[\w-]+)/g)].map(
      ([, id = ""]) => id,
    );
    const conditional = [...source.matchAll(/"(pay-(?:retry|back))"/g)].map(([, id = ""]) => id);
    const ids = new Set(
      [...used, ...conditional].map((id) =>
        id.replace(/^pay-wallet-$/, "pay-wallet-EUR").replace(/^pay-language-$/, "pay-language-en"),
      ),
    );
    const documented = new Set(
      names("Elements of the page").filter((id) => id !== "pay-wallet-XAF" && id !== "pay-language-fr"),
    );
    expect([...documented].sort()).toEqual(
      [...ids].filter((id) => id !== "pay-status" && id !== "pay-notice").sort(),
    );
  });

  it("lists every notice and every order status", () => {
    expect(names("Rejected steps").sort()).toEqual([...noticeCodeSchema.options].sort());
    expect(names("States")).toEqual(expect.arrayContaining([...orderStatusSchema.options]));
  });
});
