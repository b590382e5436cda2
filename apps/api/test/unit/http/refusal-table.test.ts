import { checkoutReasonSchema } from "@tillgate/contract";
import { expect, it } from "vitest";
import { REFUSAL_ANSWERS } from "../../../src/http/shared/refusal-table.js";
import { Refusal } from "../../../src/operations/errors.js";

it("every refusal is a caller's mistake with a text, and its reason is one that the page knows", () => {
  for (const refusal of Object.values(Refusal)) {
    const { status, text, reason } = REFUSAL_ANSWERS[refusal];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(text).not.toBe("");
    if (reason !== undefined) expect(checkoutReasonSchema.options).toContain(reason);
  }
});

it("every reason of the page but those of fields belongs to one refusal", () => {
  const reasons = Object.values(REFUSAL_ANSWERS).flatMap(({ reason }) => reason ?? []);
  // What is not found is an order or a logo.
  expect(reasons.sort()).toEqual([...checkoutReasonSchema.options, "not_found"].sort());
});
