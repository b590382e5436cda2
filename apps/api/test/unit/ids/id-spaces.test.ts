import { randomUUID } from "node:crypto";
import { orderSchema, payoutSchema, refundSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { createIdSpace, createIdSpaces, ID_KINDS } from "../../../src/platform/ids.js";

const KINDS = ["order", "refund", "payment", "payout", "partnerTransaction"] as const;
const CHARACTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** Returns the code of an ID: the part after the prefix and day. */
const codeOf = (id: string): string => /^(?:POS-\d{8}-|RF-\d{8}-|TRX-|PO|PP)(.+)$/.exec(id)?.[1] ?? "";

/** Returns the merchant slot, which the first two characters of the code encode. */
const slotOf = (kind: (typeof KINDS)[number], id: string): number => {
  const { alphabet } = ID_KINDS[kind];
  const [high = "", low = ""] = codeOf(id);
  return alphabet.indexOf(high) * alphabet.length + alphabet.indexOf(low);
};

describe("merchant slot of IDs", () => {
  it("is the same for IDs of every kind, and in another process", () => {
    for (const merchant of Array.from({ length: 50 }, () => randomUUID())) {
      const slots = [createIdSpaces(), createIdSpaces()].flatMap((ids) =>
        KINDS.flatMap((kind) => [
          slotOf(kind, ids[kind].next(merchant)),
          slotOf(kind, ids[kind].next(merchant)),
        ]),
      );
      expect(new Set(slots).size).toBe(1);
    }
  });

  it("has a fixed value for known merchant IDs", () => {
    const ids = createIdSpaces();
    const slots = [
      "00000000-0000-4000-8000-000000000001",
      "00000000-0000-4000-8000-000000000002",
      "5f3b7b1e-93c4-4f0e-9a51-3c8d2f6a7e90",
    ].map((merchant) => codeOf(ids.partnerTransaction.next(merchant)).slice(0, 2));
    expect(slots).toEqual(["48", "71", "28"]);
  });

  it("spreads merchants over a hundred slots", () => {
    const { payment } = createIdSpaces();
    const slots = Array.from({ length: 2_000 }, () => slotOf("payment", payment.next(randomUUID())));
    expect(new Set(slots).size).toBeGreaterThan(95);
    expect(Math.max(...slots)).toBeLessThan(100);
  });
});

describe("ID length", () => {
  const merchant = randomUUID();

  it("starts at the minimum for each kind", () => {
    const ids = createIdSpaces();
    const day = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const code = (length: number) => `[${CHARACTERS}]{${length}}`;
    expect(ids.order.next(merchant)).toMatch(new RegExp(`^POS-${day}-${code(6)}$`));
    expect(ids.refund.next(merchant)).toMatch(new RegExp(`^RF-${day}-${code(6)}$`));
    expect(ids.payout.next(merchant)).toMatch(new RegExp(`^PO${code(8)}$`));
    expect(ids.payment.next(merchant)).toMatch(/^TRX-\d{12}$/);
    expect(ids.partnerTransaction.next(merchant)).toMatch(/^PP\d{10}$/);
  });

  it("grows when collisions are frequent, and stays the same while they are rare", () => {
    const ids = createIdSpace(ID_KINDS.payout);
    const after = (created: number): string => {
      let id = "";
      for (let number = 0; number < created; number += 1) id = ids.next(merchant);
      return id;
    };
    ids.recordCollision(after(4_097));
    expect(codeOf(ids.next(merchant))).toHaveLength(8);
    ids.recordCollision(after(4_096));
    expect(codeOf(ids.next(merchant))).toHaveLength(8);
    ids.recordCollision(after(4_095));
    expect(codeOf(ids.next(merchant))).toHaveLength(9);
  });

  it("grows by only one character after many collisions of IDs of one length", () => {
    const ids = createIdSpace(ID_KINDS.partnerTransaction);
    const created = Array.from({ length: 64 }, () => ids.next(merchant));
    for (const id of created) ids.recordCollision(id);
    expect(ids.next(merchant)).toMatch(/^PP\d{11}$/);
  });

  it("grows by at most twelve characters, and the whole ID has at most 40", () => {
    for (const kind of KINDS) {
      const ids = createIdSpace(ID_KINDS[kind]);
      for (let collisions = 0; collisions < 100; collisions += 1) ids.recordCollision(ids.next(merchant));
      const longest = ids.next(merchant);
      expect(codeOf(longest)).toHaveLength(ID_KINDS[kind].shortest + 12);
      expect(longest.length).toBeLessThanOrEqual(40);
    }
  });
});

describe("contract", () => {
  it.each([
    [
      orderSchema.shape.order_id,
      "POS-20261121-7KQ2M",
      "POS-20261121-7KQ2MX",
      "POS-20261121-7KQ2MXABCDEFGHJKLM",
    ],
    [
      refundSchema.shape.refund_id,
      "RF-20261121-3HV9P",
      "RF-20261121-3HV9PA",
      "RF-20261121-3HV9PAABCDEFGHJKLM",
    ],
    [payoutSchema.shape.payout_id, "PO7KQ2MX4", "PO7KQ2MX4T", "PO7KQ2MX4TABCDEFGHJKLM"],
  ])(
    "accepts IDs of at least the minimum length, and rejects shorter IDs (%#)",
    (pattern, tooShort, shortest, longest) => {
      expect(pattern.safeParse(tooShort).success).toBe(false);
      expect(pattern.safeParse(shortest).success).toBe(true);
      expect(pattern.safeParse(longest).success).toBe(true);
    },
  );
});
