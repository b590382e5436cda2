import { createRefundRequestSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { errorOf, fieldError } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const ASTRAL = "𝕏";

const { sandbox, server, api } = await createTestApi();

describe("validation of POST /refunds", () => {
  it("covers every field of the request", () => {
    expect(Object.keys(createRefundRequestSchema.shape)).toEqual([
      "transaction_id",
      "amount",
      "reason",
      "reference",
      // metadata.test.ts
      "metadata",
      "idempotency_key",
    ]);
  });

  it.each([
    [undefined, "is required"],
    [null, "is required"],
    ["", "is required"],
    ["  ", "is required"],
    [7, "must be text"],
    [["TRX-1"], "must be text"],
    ["TRX\u0000", "must not contain NUL characters or invalid Unicode"],
    ["a".repeat(65), "must not be longer than 64 characters"],
  ])("rejects transaction_id %j: %s", async (transaction_id, rest) => {
    const response = await expectNoWrites(sandbox, () => api.post("/refunds", { transaction_id }));
    expect(errorOf(response)).toEqual(fieldError("transaction_id", rest));
  });

  it("rejects amounts that are invalid in the payment's currency", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const rejected: [unknown, string][] = [
      [0, "must be greater than zero"],
      [-1, "must be greater than zero"],
      [0.001, "must have at most 2 decimals"],
      ["1e1", "must be a plain decimal number without an exponent"],
      ["", "must be a number"],
      ["all", "must be a number"],
      [true, "must be a number or a decimal text"],
      [[1], "must be a number or a decimal text"],
      [null, "must be a number or a decimal text"],
      [{}, "must be a number or a decimal text"],
      ["１", "must be a number"],
      ["1\u0000", "must be a number"],
      ["1234567890123456", "must have at most 15 significant digits"],
      ["100000000000.01", "must be at most 100000000000.00"],
      [100_000_000_001, "must be at most 100000000000.00"],
    ];
    for (const [amount, rest] of rejected) {
      const response = await expectNoWrites(sandbox, () =>
        api.post("/refunds", { transaction_id: trxId, amount }),
      );
      expect(errorOf(response)).toEqual(fieldError("amount", rest));
    }
  });

  it.each([
    ["reason", 500],
    ["reference", 255],
    ["idempotency_key", 64],
  ])("accepts %s of up to %i characters, counting an astral character as one", async (field, max) => {
    const { trxId } = await createPaidOrder(server, api);
    const part = { transaction_id: trxId, amount: 1 };
    const longest = readRefund(
      await api.post("/refunds", { ...part, [field]: ASTRAL.repeat(max) }),
      REFUND_CREATED,
    );
    if (field in longest) expect(longest).toMatchObject({ [field]: ASTRAL.repeat(max) });
    const rejected: [unknown, string][] = [
      [ASTRAL.repeat(max + 1), `must not be longer than ${max} characters`],
      [5, "must be text"],
      [{}, "must be text"],
      ["\u0000", "must not contain NUL characters or invalid Unicode"],
      ["\ud83d", "must not contain NUL characters or invalid Unicode"],
    ];
    for (const [value, rest] of rejected) {
      const response = await expectNoWrites(sandbox, () => api.post("/refunds", { ...part, [field]: value }));
      expect(errorOf(response)).toEqual(fieldError(field, rest));
    }
    // An empty key is invalid, not omitted: idempotency-header.test.ts.
    for (const empty of field === "idempotency_key" ? [null] : [null, ""])
      readRefund(
        await api.post("/refunds", { ...part, [field]: empty, amount: "0.01", unknown: [1] }),
        REFUND_CREATED,
      );
  });
});
