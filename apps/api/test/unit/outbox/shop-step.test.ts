import { describe, expect, it } from "vitest";
import { parseShopStep } from "../../../src/events/outbox/likely-cause.js";

describe("parseShopStep", () => {
  it.each([
    ['{"outcome":"applied"}', "applied", null],
    [' {"status":"repeated"}', "repeated", null],
    ['{"status":"ok","action":"complete","order_status":"processing"}', "ok, complete", "processing"],
    ['{"outcome":"applied","status":"ok"}', "applied", null],
    ['{"order_status":"processing"}', null, "processing"],
    [`{"status":"${"s".repeat(64)}"}`, "s".repeat(64), null],
    ['{"outcome":" ","action":"complete","order_status":7}', "complete", null],
  ])("parses %s", (response, step, orderStatus) => {
    expect(parseShopStep(response)).toEqual({ step, orderStatus });
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
  ])("ignores %s", (response) => {
    expect(parseShopStep(response)).toEqual({ step: null, orderStatus: null });
  });
});
