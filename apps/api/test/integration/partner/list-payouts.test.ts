import { type PayoutList, payoutPageResponseSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addApiToken,
  addPartner,
  addRecipient,
  COMPLETED,
  decidePayout,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  PENDING,
  partnerApi,
  partnerFieldError,
  readPayout,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

/** Amounts of a completed, a pending and a rejected payout, in this order. */
const AMOUNTS = [10, 60, 70];
const OLD = ["2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z", "2026-03-02T23:59:59.999Z"];

let partner: Partner;
let api: PartnerApi;
/** IDs, newest first. */
let ids: string[];

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  partner = await addPartner(sandbox, { terms: { EUR: { reviewAbove: 5_000n } } });
  api = partnerApi(server, partner.token);
  const lookup_token = await lookUpRecipient(api, await addRecipient(sandbox));
  const created: string[] = [];
  for (const [i, amount] of AMOUNTS.entries()) {
    const fields = { lookup_token, amount, sender_currency: "EUR", receiver_currency: "EUR" };
    const key = { reference: `salary ${i}`, idempotency_key: `salary ${i}` };
    const response = await api.post("/payout", { ...fields, ...key });
    created.push(readPayout(response, amount > 50 ? PENDING : COMPLETED).payout_id);
  }
  await decidePayout(sandbox, created[2] ?? "", false);
  ids = [...created.reverse(), ...(await addOldPayouts(created[0] ?? ""))];
});
afterAll(async () => {
  await sandbox.executeAsSuperuser(
    `SET session_replication_role = replica; DELETE FROM payouts WHERE id LIKE 'POOLD%';
     DELETE FROM count_deltas WHERE kind = 'payout' AND starts_at < '2026-04-01'`,
  );
});

/** Copies a payout to other days without triggers; the copies are deleted before the ledger is proved. */
async function addOldPayouts(like: string): Promise<string[]> {
  const names = OLD.map((_, i) => `POOLD0000${i}`);
  for (const [i, time] of OLD.entries())
    await sandbox.executeAsSuperuser(
      `SET session_replication_role = replica;
         INSERT INTO payouts SELECT (jsonb_populate_record(p, jsonb_build_object('id', '${names[i]}', 'reference', 'old ${i}',
           'created_at', '${time}', 'transfer_id', gen_random_uuid(), 'hold_transfer_id', gen_random_uuid()))).* FROM payouts p WHERE id = '${like}';
         INSERT INTO count_deltas (merchant_id, mode, kind, starts_at, status, change)
           VALUES ('${partner.merchantId}', 'sandbox', 'payout', span_of('${time}'), 'failed', 1)`,
    );
  return names.reverse();
}

async function list(query: Record<string, string> = {}, from = api): Promise<PayoutList> {
  const { status, body, text } = await from.get(`/payouts?${new URLSearchParams(query)}`);
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = payoutPageResponseSchema.strict().parse(body);
  expect(response.message.success).toEqual(["Payouts retrieved"]);
  expect(response).toEqual(body);
  return response.data;
}
const idsOf = ({ payouts }: PayoutList): string[] => payouts.map(({ payout_id }) => payout_id);

describe("GET /payouts", () => {
  it("lists the newest payouts first, each as GET /payout/{id} returns it, with a default page size of twenty", async () => {
    const page = await list();
    expect(idsOf(page)).toEqual(ids);
    expect(page.pagination).toEqual({ current_page: 1, per_page: 20, total: 6, last_page: 1 });
    for (const payout of page.payouts)
      expect(readPayout(await api.get(`/payout/${payout.payout_id}`), "Payout details.")).toEqual(payout);
  });

  it("lists every payout once across pages, in a consistent order, and returns an empty page after the last page", async () => {
    const pages = [await list({ per_page: "4" }), await list({ per_page: "4", page: "2" })];
    expect(pages.flatMap(idsOf)).toEqual(ids);
    expect(pages[1]?.pagination).toEqual({ current_page: 2, per_page: 4, total: 6, last_page: 2 });
    expect(await list({ page: "1000000" })).toMatchObject({ payouts: [], pagination: { total: 6 } });
  });

  it("filters by current status, exact reference, whole UTC days, and combinations of them", async () => {
    const [failed, pending, completed] = ids;
    expect(idsOf(await list({ status: "completed" }))).toEqual([completed]);
    expect(idsOf(await list({ status: "pending" }))).toEqual([pending]);
    expect(idsOf(await list({ status: "failed" }))).toEqual([failed, ...ids.slice(3)]);
    expect(idsOf(await list({ reference: "salary 1" }))).toEqual([pending]);
    expect(idsOf(await list({ reference: "salary" }))).toEqual([]);
    expect(idsOf(await list({ reference: "salary 1", status: "completed" }))).toEqual([]);
    expect(idsOf(await list({ from_date: "2026-03-02", to_date: "2026-03-02" }))).toEqual(ids.slice(3, 5));
    expect(idsOf(await list({ to_date: "2026-03-01" }))).toEqual(ids.slice(5));
    expect((await list({ from_date: "2026-03-02", status: "failed", per_page: "1" })).pagination).toEqual({
      current_page: 1,
      per_page: 1,
      total: 3,
      last_page: 3,
    });
  });

  it("lists only the merchant's payouts in the token's mode", async () => {
    const other = await addPartner(sandbox);
    expect((await list({}, partnerApi(server, other.token))).payouts).toEqual([]);
    const live = await addApiToken(sandbox, partner.merchantId, "live");
    expect(await list({}, partnerApi(server, live))).toEqual({
      payouts: [],
      pagination: { current_page: 1, per_page: 20, total: 0, last_page: 1 },
      next_cursor: null,
    });
  });

  it.each([
    ["status", "paid", "must be one of completed, pending, failed"],
    ["status", "", "must be one of completed, pending, failed"],
    ["page", "0", "must be a whole number from 1 to 1000000"],
    ["per_page", "101", "must be a whole number from 1 to 100"],
    ["from_date", "2026-02-30", "must be a date (YYYY-MM-DD)"],
    ["to_date", "tomorrow", "must be a date (YYYY-MM-DD)"],
    ["reference", "x".repeat(256), "must not be longer than 255 characters"],
  ])("rejects %s=%s and reports the parameter", async (field, value, rest) => {
    expect(errorOf(await api.get(`/payouts?${new URLSearchParams({ [field]: value })}`))).toEqual(
      partnerFieldError(field, rest),
    );
  });

  it("requires a valid token, and is the only method allowed on /payouts", async () => {
    expect(errorOf(await partnerApi(server, "tgt_wrong").get("/payouts")).status).toBe(401);
    expect((await api.post("/payouts", {})).status).toBe(405);
  });
});
