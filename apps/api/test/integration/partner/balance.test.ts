import { balancesResponseSchema } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { addApiToken, addPartner, type Partner, type PartnerApi, partnerApi } from "../../support/partner.js";
import { createTestApi } from "../../support/test-api.js";

let partner: Partner;
let api: PartnerApi;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  partner = await addPartner(sandbox, { wallets: { XAF: 500_000n, EUR: 10_000n, KWD: 1n, JPY: 0n } });
  api = partnerApi(server, partner.token);
});

/** Deposits an amount that may exceed the maximum of a single deposit. */
async function fill({ wallets }: Partner, minor: bigint): Promise<void> {
  const largest = 10n ** 17n;
  for (let left = minor; left > 0n; left -= largest)
    await sandbox.database.pool.query(
      `SELECT move_between_wallets(gen_random_uuid(), 'sandbox', 'deposit', 'EUR',
         (SELECT id FROM accounts WHERE mode = 'sandbox' AND currency = 'EUR' AND kind = 'funding'), $1, $2,
         'test ' || gen_random_uuid())`,
      [wallets.EUR, left < largest ? left : largest],
    );
}

describe("GET /balance", () => {
  const balances = async (by = api) => {
    const { status, body, text } = await by.get("/balance");
    expect({ status, text }).toMatchObject({ status: 200 });
    const response = balancesResponseSchema.strict().parse(body);
    expect(response).toEqual(body);
    expect(response.message).toEqual({ success: ["Wallet balances."] });
    return response.data.balances;
  };

  it("lists the merchant's open wallets by code, with each currency's decimal places", async () => {
    expect(await balances()).toEqual([
      { currency_code: "EUR", currency_symbol: "€", balance: 100 },
      { currency_code: "JPY", currency_symbol: "¥", balance: 0 },
      { currency_code: "KWD", currency_symbol: "KD", balance: 0.001 },
      { currency_code: "XAF", currency_symbol: "FCFA", balance: 500_000 },
    ]);
  });

  it("omits closed wallets, and inactive currencies without a balance", async () => {
    const { pool, prisma } = sandbox.database;
    await pool.query("UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1", [
      partner.wallets.JPY,
    ]);
    const emptied = await addPartner(sandbox, { wallets: { KWD: 0n, EUR: 0n } });
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: false } });
    expect((await balances()).map(({ currency_code }) => currency_code)).toEqual(["EUR", "KWD", "XAF"]);
    expect(await balances(partnerApi(server, emptied.token))).toEqual([
      { currency_code: "EUR", currency_symbol: "€", balance: 0 },
    ]);
    await prisma.currency.update({ where: { code: "KWD" }, data: { active: true } });
  });

  it.each([
    [999_999_999_999_999n, "9999999999999.99"],
    [1_000_000_000_000_000n, "10000000000000.00"],
    [1_234_567_890_123_456_789n, "12345678901234567.89"],
  ])("returns %d minor units exactly as %s", async (minor, text) => {
    const rich = await addPartner(sandbox, { wallets: { EUR: 0n } });
    await fill(rich, minor);
    const response = await partnerApi(server, rich.token).get("/balance");
    expect({ status: response.status, text: response.text }).toEqual({
      status: 200,
      text: `{"message":{"success":["Wallet balances."]},"data":{"balances":[{"currency_code":"EUR","currency_symbol":"€","balance":${text}}]}}`,
    });
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(balancesResponseSchema.parse(response.body).data.balances[0]?.balance).toBe(Number(text));
  });

  it("returns no balances for a merchant without wallets in the token's mode", async () => {
    expect(
      await balances(partnerApi(server, await addApiToken(sandbox, partner.merchantId, "live"))),
    ).toEqual([]);
  });
});
