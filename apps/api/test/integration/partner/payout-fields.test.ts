import { payoutKeySchema, payoutRequestSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import {
  addApiToken,
  addPartner,
  COMPLETED,
  lookUpRecipient,
  openWallet,
  type PartnerApi,
  partnerApi,
  partnerError,
  partnerFieldError,
  readPayout,
} from "../../support/partner.js";
import { setUpPayouts } from "../../support/payout-fixture.js";
import { errorOf } from "../../support/requests.js";

const {
  direct,
  paid: pay,
  expectRejectedPayout,
  scene,
} = setUpPayouts({ wallets: { EUR: 100_000n, XAF: 1_000_000n, USD: 0n } });

const expectRejected = (changed: Record<string, unknown>, by?: PartnerApi) =>
  expectRejectedPayout(direct(changed), by);
const paid = (changed: Record<string, unknown> = {}, by?: PartnerApi) => pay(direct(changed), by);

describe("POST /payout", () => {
  const rows: [string, number | null][] = [
    ["lookup_token", 64],
    ["sender_currency", 10],
    ["receiver_currency", 10],
    ["reference", 255],
    ["idempotency_key", 64],
    ["description", 500],
  ];

  it.each(rows)(
    "requires %s to be text of at most %i characters, counting an astral character as one",
    async (field, max) => {
      const length = max ?? 0;
      const values: [unknown, string][] = [
        ["𝕏".repeat(length + 1), `must not be longer than ${length} characters`],
        [7, "must be text"],
        [true, "must be text"],
        [["a"], "must be text"],
        [{}, "must be text"],
        ["a\u0000", "must not contain NUL characters or invalid Unicode"],
        ["\ud83d", "must not contain NUL characters or invalid Unicode"],
        [" ", field === "description" ? "must not be blank" : "is required"],
      ];
      for (const [value, rest] of values)
        expect(await expectRejected({ [field]: value })).toEqual(partnerFieldError(field, rest));
      const longest = await scene().api.post("/payout", direct({ [field]: "𝕏".repeat(length) }));
      if (field === "reference" || field === "description" || field === "idempotency_key")
        expect(readPayout(longest, COMPLETED)).toMatchObject(
          field === "idempotency_key" ? {} : { [field]: "𝕏".repeat(length) },
        );
      else expect(errorOf(longest).status).toBe(400);
    },
  );

  it.each(["lookup_token", "amount", "sender_currency", "receiver_currency"])(
    "requires %s without a quote",
    async (field) => {
      for (const nothing of [undefined, null, ""])
        for (const quote_id of [undefined, null, ""])
          expect(await expectRejected({ [field]: nothing, quote_id })).toEqual(
            partnerFieldError(field, "is required when quote_id is absent"),
          );
    },
  );

  it.each(["reference", "idempotency_key"])("requires %s, with or without a quote", async (field) => {
    for (const nothing of [undefined, null, ""]) {
      expect(await expectRejected({ [field]: nothing })).toEqual(partnerFieldError(field, "is required"));
      expect(await expectRejected({ [field]: nothing, quote_id: "x" })).toEqual(
        partnerFieldError(field, "is required"),
      );
    }
  });

  it.each([
    [0, "must be greater than zero"],
    [-10, "must be greater than zero"],
    [0.001, "must have at most 2 decimals"],
    ["1e1", "must be a plain decimal number without an exponent"],
    ["ten", "must be a number"],
    ["1\u0000", "must be a number"],
    [false, "must be a number or a decimal text"],
    [[10], "must be a number or a decimal text"],
    ["100000000000.01", "must be at most 100000000000.00"],
    ["1234567890.1234567", "must have at most 15 significant digits"],
  ])("rejects the amount %j before checking the lookup token: %s", async (amount, rest) => {
    expect(await expectRejected({ amount, lookup_token: "x" })).toEqual(partnerFieldError("amount", rest));
  });

  it("accepts the smallest unit as amount, and only whole numbers in a currency without decimals", async () => {
    expect(await paid({ amount: 0.01 })).toMatchObject({ amount: 0.01, fee: 0.25, receiver_amount: 0.01 });
    const francs = { sender_currency: "XAF", receiver_currency: "XAF", reference: "x", idempotency_key: "x" };
    expect(await expectRejected({ ...francs, amount: 0.5 })).toEqual(
      partnerFieldError("amount", "must be a whole number"),
    );
    expect(await paid({ ...francs, amount: "1.00" })).toMatchObject({
      amount: 1,
      fee: 150,
      total_deducted: 151,
    });
  });

  it("defines only fields covered by tests", () => {
    expect(Object.keys({ ...payoutRequestSchema.shape, ...payoutKeySchema.shape }).sort()).toEqual(
      [...rows.map(([field]) => field), "amount", "quote_id", "metadata"].sort(),
    );
  });

  it("does not pay a sandbox payout from a live wallet", async () => {
    const live = await addPartner(scene().sandbox, { mode: "live", wallets: { EUR: 1_000n } });
    const sandboxToken = await addApiToken(scene().sandbox, live.merchantId, "sandbox");
    const sandboxApi = partnerApi(scene().server, sandboxToken);
    const token = await lookUpRecipient(sandboxApi, scene().recipient);
    expect(await expectRejected({ lookup_token: token }, sandboxApi)).toEqual(
      partnerError("Merchant wallet not found for currency: EUR"),
    );
    await openWallet(
      scene().sandbox,
      { merchantId: live.merchantId, kind: "merchant" },
      "sandbox",
      "EUR",
      5_000n,
    );
    expect(await expectRejected({ lookup_token: token }, sandboxApi)).toEqual(
      partnerError("Currency EUR is not authorized for payouts."),
    );
  });
});
