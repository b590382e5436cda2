import { readFileSync } from "node:fs";
import { PAGE_BACKGROUNDS } from "@tillgate/contract";
import { expect, it } from "vitest";

const style = ["../../../../packages/service/styles/site.css", "../../src/styles/page.css"]
  .map((file) => readFileSync(new URL(file, import.meta.url), "utf8"))
  .join("\n");

it("the page backgrounds in the contract match those in the stylesheet", () => {
  const values = (name: string) =>
    [...style.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, "g"))].map(([, value]) => value);
  const [ground, card] = [values("ground"), values("card")];
  expect([card[0], ground[0]].sort()).toEqual([...PAGE_BACKGROUNDS.light].sort());
  expect([card[1], ground[1]].sort()).toEqual([...PAGE_BACKGROUNDS.dark].sort());
});
