import { balancesAnswerSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import {
  addApiToken,
  addPartner,
  addRecipient,
  COMPLETED,
  lookUp,
  type Partner,
  type PartnerApi,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { told } from "../../support/requests.js";
import { openSandbox, type Sandbox } from "../../support/sandbox.js";

let sandbox: Sandbox;
let server: ApiProcess;
let partner: Partner;
let api: PartnerApi;

beforeAll(async () => {
  sandbox = await openSandbox();
  server = await sandbox.startApi();
  partner = await addPartner(sandbox, { wallets: { XAF: 500_000n, EUR: 10_000n, KWD: 1n, JPY: 0n } });
  api = partnerApi(server, partner.token);
});
afterAll(() => sandbox.close());

describe("GET /payout/{id}", () => {
  it("shows a payout as it was made, fourteen keys", async () => {
    const made = readPayout(
      await api.post("/payout", {
        lookup_token: await lookUp(api, await addRecipient(sandbox)),
        amount: 10,
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: "r",
        idempotency_key: "k",
      }),
      COMPLETED,
    );
    const read = readPayout(await api.get(`/payout/${made.payout_id}`), "Payout details.");
    expect(read).toEqual(made);
    expect(Object.keys(read)).toHaveLength(14);
    const other = partnerApi(server, sandbox.access.merchant.api_token);
    const live = partnerApi(server, await addApiToken(sandbox, partner.merchantId, "live"));
    for (const stranger of [other, live])
      expect(told(await stranger.get(`/payout/${made.payout_id}`))).toEqual({
        status: 404,
        texts: ["Payout not found"],
      });
    expect(told(await api.get(`/payout/${made.payout_id.toLowerCase()}`)).status).toBe(404);
  });

  it.each(["POAAAAAAAA", "x", "%00", "é", "a".repeat(3_000), "' OR 1=1 --"])(
    "no such payout %j: 404",
    async (id) => {
      expect(told(await api.get(`/payout/${encodeURIComponent(id)}`))).toEqual({
        status: 404,
        texts: ["Payout not found"],
      });
    },
  );
});

describe("GET /balance", () => {
  const balances = async (by = api) => {
    const { status, body, text } = await by.get("/balance");
    expect({ status, text }).toMatchObject({ status: 200 });
    const answer = balancesAnswerSchema.strict().parse(body);
    expect(answer).toEqual(body);
    expect(answer.message).toEqual({ success: ["Wallet balances."] });
    return answer.data.balances;
  };

  it("shows each open wallet in its currency's digits, by code, and no other merchant's", async () => {
    expect(await balances()).toEqual([
      { currency_code: "EUR", currency_symbol: "€", balance: 89.7 },
      { currency_code: "JPY", currency_symbol: "¥", balance: 0 },
      { currency_code: "KWD", currency_symbol: "KD", balance: 0.001 },
      { currency_code: "XAF", currency_symbol: "FCFA", balance: 500_000 },
    ]);
  });

  it("leaves out closed wallets and inactive currencies", async () => {
    const { pool, prisma } = sandbox.database;
    await pool.query("UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1", [
      partner.wallets.JPY,
    ]);
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: false } });
    expect((await balances()).map(({ currency_code }) => currency_code)).toEqual(["EUR", "XAF"]);
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: true } });
  });

  it("a merchant without wallets in the token's mode has no balances", async () => {
    expect(
      await balances(partnerApi(server, await addApiToken(sandbox, partner.merchantId, "live"))),
    ).toEqual([]);
  });
});
