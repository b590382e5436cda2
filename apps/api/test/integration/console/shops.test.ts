import {
  type ConsoleAttention,
  consoleCredentialSecretResponseSchema,
  consoleHomeResponseSchema,
  consoleShopResponseSchema,
  consoleShopsResponseSchema,
} from "@tillgate/contract";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { pool } = sandbox.database;
let parties: ConsoleParties;
let shop: ConsoleClient;
let credentialId: string;
let liveClient: string;
let liveOrder: string;

const SITE = "kiln.example/shop; id=3f2a91c0-0000";

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  shop = merchantConsole(server, parties);
  const { client_id } = sandbox.access.merchant;
  const { rows } = await pool.query(
    "SELECT id FROM credentials WHERE client_id = $1 AND revoked_at IS NULL",
    [client_id],
  );
  credentialId = rows[0]?.id;
  const liveAccess = await addLiveCredential(sandbox, client_id);
  liveClient = liveAccess.client_id;
  liveOrder = (await createOrder(payApi(server, liveAccess, "live"))).order_id;
});
beforeEach(async () => {
  await pool.query("DELETE FROM shop_comparisons");
});

type Run = { site?: string; started?: string; completed?: string | null; key?: string };
/** Adds a shop with a comparison run. The times are ages, written as SQL intervals. */
const addShop = ({
  site = SITE,
  started = "1 hour",
  completed = "50 minutes",
  key = credentialId,
}: Run = {}) =>
  pool.query(
    `INSERT INTO shop_comparisons (merchant_id, mode, site, credential_id, day, compared, skipped, created_at, started_at, completed_at)
     SELECT merchant_id, mode, $1, id, current_date, 1204, 3, now() - $2::interval, now() - $2::interval, now() - $3::interval
     FROM credentials WHERE id = $4`,
    [site, started, completed, key],
  );
type Known = {
  site?: string;
  order?: string;
  kind?: string;
  field?: string;
  repair?: string | null;
  values?: object;
};
const addDifference = ({
  site = SITE,
  order = "POS-20261121-1",
  kind = "paid_shop_unpaid",
  field = "state",
  repair = null,
  values = {},
}: Known = {}) =>
  pool.query(
    `INSERT INTO shop_differences (merchant_id, mode, site, order_id, order_number, order_url, subject, subject_id, field, kind, repair, text_values)
     VALUES ($1, 'sandbox', $2, $3, '1001', 'https://kiln.example/wp-admin/post.php?post=1001', 'order', $3, $4, $5, $6, $7)`,
    [merchantId, site, order, field, kind, repair, values],
  );

const listShops = async (of = shop) =>
  dataOf(consoleShopsResponseSchema, await of.get("/reports/shops")).shops;
const readShop = async (query: Record<string, string> = {}) => {
  const id = (await listShops())[0]?.shop_id;
  return dataOf(consoleShopResponseSchema, await shop.get(`/reports/shops/${id}`, query));
};

describe("GET /reports/shops of the console", () => {
  it("lists the shops of this mode with their last run and number of differences", async () => {
    expect(await listShops()).toEqual([]);
    await addShop();
    await addDifference();
    await addDifference({ field: "amount", kind: "amount_differs" });
    expect(await listShops()).toEqual([
      expect.objectContaining({
        ...{ name: "kiln.example/shop", site: SITE, running: false, compared: 1_204, skipped: 3 },
        ...{ overdue: false, differences: 2 },
      }),
    ]);
    expect(await listShops(merchantConsole(server, { ...parties, mode: "live" }))).toEqual([]);
    const other = { user: parties.otherUser, merchantId: parties.otherId };
    expect(await listShops(merchantConsole(server, other))).toEqual([]);
  });

  it("distinguishes shops at the same address by the start of their IDs, and identifies a shop without an address by its key", async () => {
    await addShop();
    await addShop({ site: "kiln.example/shop; id=b0b0b0b0-1111" });
    await addShop({ site: `key ${sandbox.access.merchant.client_id}` });
    const shops = await listShops();
    expect(shops.map(({ name, site }) => [name, site])).toEqual([
      [null, null],
      ["kiln.example/shop (3f2a91c0)", SITE],
      ["kiln.example/shop (b0b0b0b0)", "kiln.example/shop; id=b0b0b0b0-1111"],
    ]);
    expect(shops[0]?.key).not.toBe("");
  });

  it.each([
    ["completed after it started", "1 hour", "50 minutes", false, false],
    ["started after the last completed run", "1 hour", "1 day", true, false],
    ["never completed, started yesterday", "1 day", null, true, false],
    ["never completed, started three days ago", "3 days", null, true, true],
    ["completed just under two days ago", "50 hours", "47 hours 59 minutes", false, false],
    ["completed just over two days ago", "50 hours", "48 hours 1 minute", false, true],
  ])(
    "reports whether a shop's run is in progress or overdue: %s",
    async (_name, started, completed, running, overdue) => {
      await addShop({ started, completed });
      expect(await listShops()).toMatchObject([{ running, overdue }]);
    },
  );

  it("reports a shop as overdue only while its key or the key that replaced it works", async () => {
    const live = merchantConsole(server, { ...parties, mode: "live" });
    const { rows } = await pool.query<{ id: string }>("SELECT id FROM credentials WHERE client_id = $1", [
      liveClient,
    ]);
    const key = rows[0]?.id ?? "";
    await addShop({ started: "3 days", completed: "3 days", key });
    const isOverdue = async () => (await listShops(live))[0]?.overdue;
    expect(await isOverdue()).toBe(true);
    const rotated = await live.post(`/credentials/${key}/rotate`, { overlap_seconds: 3_600 });
    const { credential_id } = dataOf(consoleCredentialSecretResponseSchema, rotated);
    await pool.query("UPDATE credentials SET expires_at = now() - interval '1 second' WHERE id = $1", [key]);
    expect(await isOverdue()).toBe(true);
    await live.post(`/credentials/${credential_id}/revoke`);
    expect(await isOverdue()).toBe(false);
  });
});

describe("GET /reports/shops/:shop of the console", () => {
  it("returns the differences of the newest orders first, in pages without gaps", async () => {
    await addShop();
    const orders = ["POS-20261119-1", "POS-20261120-1", "POS-20261121-1"];
    for (const order of orders)
      for (const field of ["state", "amount"]) await addDifference({ order, field, kind: "amount_differs" });
    const seen: string[] = [];
    let before: string | null = "";
    while (before !== null) {
      const query: Record<string, string> = { per_page: "4", ...(before === "" ? {} : { before }) };
      const { differences, next } = await readShop(query);
      seen.push(...differences.map(({ difference_id }) => difference_id));
      before = next;
    }
    expect(new Set(seen).size).toBe(6);
    expect(seen.map((id) => id.split(" ")[0])).toEqual(orders.flatMap((order) => [order, order]).reverse());
    expect((await readShop({ per_page: "6" })).next).toBeNull();
  });

  it("reports whether the merchant has the order in this mode", async () => {
    const { order_id } = await createOrder(api);
    await addShop();
    await addDifference({ order: order_id });
    const foreign = await createOrder(payApi(server, sandbox.access.other_merchant));
    for (const order of [foreign.order_id, liveOrder, "POS-20250101-UNKNOWN"])
      await addDifference({ order, kind: "missing_at_tillgate" });
    const { differences } = await readShop();
    expect(new Map(differences.map((found) => [found.order_id, found.known]))).toEqual(
      new Map([
        [order_id, true],
        [foreign.order_id, false],
        [liveOrder, false],
        ["POS-20250101-UNKNOWN", false],
      ]),
    );
  });

  it("describes a difference and what to do in the requested language, English by default", async () => {
    await addShop();
    const values = { amount: "41.50 EUR", trx_id: "TRX-1", status: "cancelled" };
    await addDifference({ values, repair: "apply_order" });
    await addDifference({
      ...{ field: "amount", kind: "amount_differs" },
      values: { store_total: "40.00 EUR", amount: "an unreadable amount" },
    });
    const [english, french] = [
      (await readShop()).differences,
      (await readShop({ language: "fr" })).differences,
    ];
    expect(english).toMatchObject([
      {
        text: "41.50 EUR was paid in Tillgate (transaction TRX-1), but the order’s status in the shop is “Cancelled”.",
        advice: "Complete the order manually, or refund the payment in Tillgate.",
        repair: "Update from Tillgate",
        order_url: "https://kiln.example/wp-admin/post.php?post=1001",
      },
      { repair: null },
    ]);
    // cspell:disable
    expect(french).toMatchObject([
      {
        text: "Un paiement de 41.50 EUR a été effectué dans Tillgate (transaction TRX-1), mais le statut de la commande dans la boutique est «\u00a0Annulée\u00a0».",
        advice: "Terminez la commande manuellement, ou remboursez le paiement dans Tillgate.",
        repair: "Mettre à jour depuis Tillgate",
      },
      {
        text: "Le total de la commande dans la boutique est de 40.00 EUR, mais un paiement de montant illisible a été effectué dans Tillgate.",
      },
    ]);
    // cspell:enable
  });

  it("returns 404 for unknown shops and shops of another merchant or mode, and 400 for invalid cursors and languages", async () => {
    await addShop();
    const id = (await listShops())[0]?.shop_id;
    const notFound = { status: 404, texts: ["Shop not found"] };
    expect(errorOf(await shop.get("/reports/shops/unknown"))).toEqual(notFound);
    const other = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
    expect(errorOf(await other.get(`/reports/shops/${id}`))).toEqual(notFound);
    const live = merchantConsole(server, { ...parties, mode: "live" });
    expect(errorOf(await live.get(`/reports/shops/${id}`))).toEqual(notFound);
    const encode = (position: unknown) => Buffer.from(JSON.stringify(position)).toString("base64url");
    for (const before of ["x", encode(["a"]), encode(["a\0", "b", "c", "d"]), encode({}), "x".repeat(1_201)])
      expect((await shop.get(`/reports/shops/${id}`, { before })).status).toBe(400);
    expect((await shop.get(`/reports/shops/${id}`, { language: "xx" })).status).toBe(400);
  });
});

describe("POST /reports/shops/:shop/remove of the console", () => {
  const remove = async (id: string | undefined, of = shop) =>
    (await of.post(`/reports/shops/${id}/remove`)).status;

  it("removes the shop and its differences once, with an audit record; the shop's next comparison adds it again", async () => {
    await addShop();
    await addDifference();
    await addShop({ site: "other.example" });
    const id = (await listShops()).find(({ site }) => site === SITE)?.shop_id;
    expect((await Promise.all([remove(id), remove(id)])).sort()).toEqual([200, 404]);
    expect(await listShops()).toMatchObject([{ site: "other.example" }]);
    expect((await pool.query("SELECT FROM shop_differences")).rowCount).toBe(0);
    const { rows } = await pool.query(
      "SELECT merchant_id, administrator_id, subject, details::jsonb FROM audit_records WHERE action = 'shop.remove'",
    );
    expect(rows).toEqual([
      {
        ...{ merchant_id: merchantId, administrator_id: parties.user, subject: id },
        details: { mode: "sandbox", site: SITE },
      },
    ]);
    const run = { orders: [], progress: { compared: 0, skipped: 0, completed: true } };
    const day = new Date().toISOString().slice(0, 10);
    expect((await api.put(`/comparisons/${day}`, run, { "tillgate-site": SITE })).status).toBe(200);
    expect((await listShops()).map(({ shop_id }) => shop_id)).toContain(id);
  });

  it("returns 404 for a shop of another merchant or of the other mode, and does not remove it", async () => {
    await addShop();
    const id = (await listShops())[0]?.shop_id;
    const other = merchantConsole(server, { user: parties.otherUser, merchantId: parties.otherId });
    const live = merchantConsole(server, { ...parties, mode: "live" });
    for (const of of [other, live]) expect(await remove(id, of)).toBe(404);
    expect(await listShops()).toHaveLength(1);
  });
});

describe("shops that need attention", () => {
  const attention = async (): Promise<ConsoleAttention[]> =>
    dataOf(consoleHomeResponseSchema, await shop.get("/home")).attention.filter(({ kind }) =>
      kind.startsWith("shop_"),
    );

  it("include shops with differences and shops without a completed comparison for two days", async () => {
    await addShop();
    expect(await attention()).toEqual([]);
    await addDifference();
    await addShop({ site: "late.example", started: "3 days", completed: "3 days" });
    const ids = new Map((await listShops()).map(({ name, shop_id }) => [name, shop_id]));
    expect(await attention()).toEqual([
      {
        kind: "shop_differs",
        id: ids.get("kiln.example/shop"),
        title: "kiln.example/shop",
        money: null,
        at: null,
      },
      expect.objectContaining({
        ...{ kind: "shop_not_compared", id: ids.get("late.example"), title: "late.example" },
        at: expect.any(String),
      }),
    ]);
  });

  it("exclude shops whose key has expired", async () => {
    await addShop();
    await addDifference();
    expect(await attention()).toHaveLength(1);
    const expire = (expiry: string) =>
      pool.query(
        `UPDATE credentials SET expires_at = ${expiry} WHERE id IN (SELECT credential_id FROM shop_comparisons)`,
      );
    await expire("now() - interval '1 second'");
    onTestFinished(async () => {
      await expire("NULL");
    });
    expect(await attention()).toEqual([]);
  });
});
