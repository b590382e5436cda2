import { type RefundList, refundPageResponseSchema } from "@tillgate/contract";
import { describe, expect, it } from "vitest";
import { createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf, fieldError, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();

describe("GET /refunds", () => {
  async function list(query: Record<string, string> = {}, by = api): Promise<RefundList> {
    const { status, body, text } = await by.get("/refunds", query);
    expect({ status, text }).toMatchObject({ status: 200 });
    const response = refundPageResponseSchema.strict().parse(body);
    expect(response).toEqual(body);
    expect(response.message.success).toEqual(["Refunds retrieved"]);
    return response.data;
  }

  it("lists a transaction's refunds page by page, newest first", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const created: string[] = [];
    for (let i = 1; i <= 5; i += 1) {
      const response = await api.post("/refunds", { transaction_id: trxId, amount: i });
      created.unshift(readRefund(response, REFUND_CREATED).refund_id);
    }
    const seen: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { refunds, pagination } = await list({
        transaction_id: trxId,
        per_page: "2",
        page: String(page),
      });
      expect(pagination).toEqual({ current_page: page, per_page: 2, total: 5, last_page: 3 });
      seen.push(...refunds.map(({ refund_id }) => refund_id));
    }
    expect(seen).toEqual(created);
    expect((await list({ transaction_id: "TRX-0" })).pagination).toMatchObject({ total: 0, last_page: 1 });
  });

  it("reports the number of matching refunds as total, with and without filters", async () => {
    const today = new Date().toISOString().slice(0, 10);
    const queries = [
      {},
      { status: "completed" },
      { status: "pending" },
      { from_date: today, to_date: today },
    ];
    for (const query of [...queries, { to_date: "2026-01-01" }]) {
      const { refunds, pagination } = await list({ ...query, per_page: "100" });
      expect(pagination.total).toBe(refunds.length);
    }
    expect((await list({ status: "completed" })).refunds.length).toBeGreaterThan(0);
    expect((await list({ status: "failed" })).refunds).toEqual([]);
  });

  it("lists no refunds of another merchant or mode, even when filtered by the payment's transaction ID", async () => {
    const { trxId } = await createPaidOrder(server, api);
    readRefund(await api.post("/refunds", { transaction_id: trxId }), REFUND_CREATED);
    const other = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const stranger of [other, live])
      for (const query of [{}, { transaction_id: trxId }])
        expect(await list(query, stranger)).toEqual({
          refunds: [],
          pagination: { current_page: 1, per_page: 20, total: 0, last_page: 1 },
          next_cursor: null,
        });
    expect((await list({ transaction_id: trxId })).pagination.total).toBe(1);
  });

  it("filters by transaction and status, and by whole UTC days", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const created = readRefund(
      await api.post("/refunds", { transaction_id: trxId, amount: 1 }),
      REFUND_CREATED,
    );
    const day = created.created_at.slice(0, 10);
    const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
    const of = async (query: Record<string, string>) =>
      (await list({ transaction_id: trxId, ...query })).refunds.map(({ refund_id }) => refund_id);
    expect(await of({ status: "completed" })).toEqual([created.refund_id]);
    expect(await of({ status: "failed" })).toEqual([]);
    expect(await of({ from_date: day, to_date: day })).toEqual([created.refund_id]);
    expect(await of({ to_date: dayBefore })).toEqual([]);
    expect(await of({ page: "2" })).toEqual([]);
    expect(await of({ page: "1000000", per_page: "100" })).toEqual([]);
  });

  const wholeNumber = (max: number) => `must be a whole number from 1 to ${max}`;

  it.each([
    ["status=PAID", "status", "must be one of pending, completed, failed"],
    ["status=", "status", "must be one of pending, completed, failed"],
    ["from_date=2026-02-30", "from_date", "must be a date (YYYY-MM-DD)"],
    ["to_date=0000-12-31", "to_date", "must be a date (YYYY-MM-DD)"],
    ["status=completed&status=failed", "status", "must be one of pending, completed, failed"],
    ["from_date=", "from_date", "must be a date (YYYY-MM-DD)"],
    ["to_date=yesterday", "to_date", "must be a date (YYYY-MM-DD)"],
    ["page=0", "page", wholeNumber(1_000_000)],
    ["page=1000001", "page", wholeNumber(1_000_000)],
    ["page=1.5", "page", wholeNumber(1_000_000)],
    ["page=1&page=2", "page", wholeNumber(1_000_000)],
    ["per_page=ten", "per_page", wholeNumber(100)],
    ["per_page=0", "per_page", wholeNumber(100)],
    ["per_page=101", "per_page", wholeNumber(100)],
    ["transaction_id=a&transaction_id=b", "transaction_id", "must be given once"],
    ["transaction_id=%00", "transaction_id", "must not contain NUL characters or invalid Unicode"],
    [`transaction_id=${"a".repeat(65)}`, "transaction_id", "must not be longer than 64 characters"],
  ])("rejects %s and reports the parameter", async (query, field, rest) => {
    expect(errorOf(await api.get(`/refunds?${query}`))).toEqual(fieldError(field, rest));
  });
});
