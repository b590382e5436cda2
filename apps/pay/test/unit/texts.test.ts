import { orderStatusSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { noticeCodeSchema } from "../../src/notice";
import { fill, texts, waitText } from "../../src/texts";

describe("the catalogue of texts", () => {
  it("fills in values once, so that a merchant's name cannot bring places of its own", () => {
    expect(fill(texts.title.PENDING, { amount: "41.50 EUR", merchant: "{amount} & Sons" })).toBe(
      "Pay 41.50 EUR to {amount} & Sons",
    );
    expect(fill("Hello {name}", {})).toBe("Hello {name}");
  });

  it("has a sentence for every notice and every state of an order", () => {
    for (const code of noticeCodeSchema.options) expect(texts.notice[code]).toMatch(/[.]$/);
    for (const status of orderStatusSchema.options) {
      expect(texts.heading[status].split("{merchant}")).toHaveLength(2);
      expect(texts.status[status]).not.toBe("");
    }
  });

  it("says how long to wait in the unit that people use", () => {
    expect(waitText(30)).toContain("30 seconds");
    expect(waitText(90)).toContain("90 seconds");
    expect(waitText(91)).toContain("2 minutes");
    expect(waitText(5400)).toContain("90 minutes");
    expect(waitText(5401)).toContain("2 hours");
  });
});
