import { balancesAnswerSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { addApiToken, addPartner, type Partner, type PartnerApi, partnerApi } from "../../support/partner.js";
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
      { currency_code: "EUR", currency_symbol: "€", balance: 100 },
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
