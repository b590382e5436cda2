import { describe, expect, it } from "vitest";
import { shopStep } from "../../../src/outbox/shop-step.js";

describe("what a shop says that it did", () => {
  it.each([
    ['{"outcome":"applied"}', "applied"],
    [' {"status":"repeated"}', "repeated"],
    [
      '{"outcome":"applied","status":"ok","action":"complete","order_status":"processing"}',
      "applied, complete, processing",
    ],
    [`{"status":"${"s".repeat(64)}"}`, "s".repeat(64)],
    ['{"outcome":" ","action":"complete","order_status":7}', "complete"],
  ])("%s is read", (answer, words) => {
    expect(shopStep(answer)).toBe(words);
  });

  it.each([
    null,
    "",
    "OK",
    "<html>{}</html>",
    '["applied"]',
    "{}",
    '{"outcome":"appl',
    `{"status":"${"s".repeat(65)}"}`,
    '{"data":{"status":"applied"}}',
  ])("%s says nothing", (answer) => {
    expect(shopStep(answer)).toBe(null);
  });
});
