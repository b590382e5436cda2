import { randomUUID } from "node:crypto";
import {
  checkoutEmbedSchema,
  consoleEmbedOriginsResponseSchema,
  MAX_EMBED_ORIGINS,
  MAX_ORIGIN_LENGTH,
  successEnvelope,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { openPage } from "../../support/checkout.js";
import { createOrder, paymentTokenOf } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "../console/console-client.js";

const { sandbox, server, api, merchantId } = await createTestApi();
const { prisma } = sandbox.database;
const PATH = "/embed-origins";
const embedSchema = successEnvelope(checkoutEmbedSchema.strict());
let shop: ConsoleClient;
let liveShop: ConsoleClient;
let otherShop: ConsoleClient;
let live: ReturnType<typeof payApi>;

beforeAll(async () => {
  const { user, otherUser, otherId } = await createConsoleParties(sandbox);
  shop = merchantConsole(server, { user, merchantId });
  liveShop = merchantConsole(server, { user, merchantId, mode: "live" });
  otherShop = merchantConsole(server, { user: otherUser, merchantId: otherId });
  live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
});

const savedOrigins = async (of: ConsoleClient): Promise<string[]> =>
  dataOf(consoleEmbedOriginsResponseSchema, await of.get(PATH)).origins;
const saveOrigins = (of: ConsoleClient, ...origins: string[]) => of.post(PATH, { origins });
const records = () =>
  prisma.auditRecord.findMany({ where: { action: "merchant.embed_origins", merchantId } });

async function createEmbeddedOrder(merchant = api) {
  const page = openPage(
    server,
    paymentTokenOf(await createOrder(merchant, { return_url: "https://shop.example/return" })),
  );
  const { "x-tillgate-visitor": _visitor, ...headers } = page.headers();
  return {
    page,
    embed: async () => dataOf(embedSchema, await send(`${page.address}/embed`, { headers })),
    press: (step: string, formToken: unknown) =>
      send(`${page.address}/embed/${step}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ form_token: formToken }),
      }),
  };
}

describe("embed origins of a merchant", () => {
  it("are normalized, separate per merchant and mode, and audited", async () => {
    expect(await savedOrigins(shop)).toEqual([]);
    const typed = ["https://Shop.Example:443/checkout?x=1", "http://localhost:4003/", "https://shop.example"];
    const { origins } = dataOf(consoleEmbedOriginsResponseSchema, await saveOrigins(shop, ...typed));
    expect(origins).toEqual(["http://localhost:4003", "https://shop.example"]);
    expect(await savedOrigins(liveShop)).toEqual([]);
    expect(await savedOrigins(otherShop)).toEqual([]);
    const [record, ...more] = await records();
    expect(more).toEqual([]);
    expect(JSON.parse(record?.details ?? "")).toEqual({
      mode: "sandbox",
      before: "",
      after: "http://localhost:4003 https://shop.example",
    });
    await saveOrigins(shop, "https://shop.example", "http://localhost:4003");
    expect(await records()).toHaveLength(1);
  });

  const long = (length: number) => `https://${"a".repeat(length - "https://".length)}`;
  it.each([
    ["a value that is not a URL", "shop.example"],
    ["another scheme", "ftp://shop.example"],
    ["a wildcard", "https://*.shop.example"],
    ["a CSP directive", "https://a;script-src"],
    ["a second origin", "https://a,https://b"],
    ["credentials", "https://me:secret@shop.example"],
  ])("reject %s and remain unchanged", async (_what, typed) => {
    const before = await savedOrigins(shop);
    expect((await saveOrigins(shop, typed)).status).toBe(422);
    expect(await savedOrigins(shop)).toEqual(before);
  });

  it("are limited in number and length", async () => {
    const many = Array.from({ length: MAX_EMBED_ORIGINS }, (_, at) => `https://shop${at}.example`);
    expect((await saveOrigins(otherShop, ...many, "https://one.more")).status).toBe(400);
    expect((await saveOrigins(otherShop, ...many)).status).toBe(200);
    expect((await saveOrigins(otherShop, long(MAX_ORIGIN_LENGTH + 1))).status).toBe(400);
    expect((await saveOrigins(otherShop, long(MAX_ORIGIN_LENGTH))).status).toBe(200);
    expect(await savedOrigins(otherShop)).toEqual([long(MAX_ORIGIN_LENGTH)]);
  });

  it("must be https and not loopback in live mode", async () => {
    for (const typed of ["http://shop.example", "https://localhost:4003", "https://127.0.0.1"])
      expect([typed, (await saveOrigins(liveShop, typed)).status]).toEqual([typed, 422]);
    expect((await saveOrigins(liveShop, "https://live.example")).status).toBe(200);
  });

  it.each([
    ["https://*.shop.example", "sandbox", "embed_origins_plain"],
    ["https://a;script-src", "sandbox", "embed_origins_plain"],
    ["https://a b", "sandbox", "embed_origins_plain"],
    ["http://shop.example", "live", "embed_origins_live"],
  ] as const)("are checked by the database as well: %s", async (origin, mode, rule) => {
    await expect(prisma.embedOrigin.create({ data: { merchantId, mode, origin } })).rejects.toThrow(rule);
  });
});

describe("embedded payment page", () => {
  it("contains the merchant's origins for the order's mode, no return URL, and in live mode no form token", async () => {
    await saveOrigins(shop, "https://shop.example");
    await saveOrigins(liveShop, "https://live.example");
    await saveOrigins(otherShop, "https://other.example");
    const { embed, page } = await createEmbeddedOrder();
    const shown = await embed();
    expect(shown.origins).toEqual(["https://shop.example"]);
    expect(shown.order).toMatchObject({ status: "PENDING", amount: "41.50 EUR", mode: "sandbox" });
    expect(shown.order.payment_url).toContain(`/pay/${page.address.split("/").at(-1)}`);
    expect(JSON.stringify(shown)).not.toContain("return");
    const inLive = await (await createEmbeddedOrder(live)).embed();
    expect([inLive.origins, inLive.form_token]).toEqual([["https://live.example"], null]);
  });

  it("pays the order once with the sandbox button, even if it is clicked twice", async () => {
    const { embed, press } = await createEmbeddedOrder();
    const { form_token } = await embed();
    expect((await press("sandbox-decline", form_token)).status).toBe(200);
    expect((await embed()).order.status).toBe("PENDING");
    for (const repeated of [false, true])
      expect(await press("sandbox-approve", form_token)).toMatchObject({
        status: 200,
        body: { data: { status: "PAID", repeated } },
      });
    expect((await embed()).order.status).toBe("PAID");
  });

  it("rejects the form tokens of the payment page and of other orders, and a token issued before the origins changed", async () => {
    const { embed, press, page } = await createEmbeddedOrder();
    const { form_token: own } = await embed();
    const { form_token: another } = await (await createEmbeddedOrder()).embed();
    for (const token of [(await page.view()).form_token, another, `${own}x`, randomUUID()])
      expect(errorOf(await press("sandbox-approve", token)).reason).toBe("form_rejected");
    expect(errorOf(await page.act("sandbox-approve", own ?? "")).reason).toBe("form_rejected");
    await saveOrigins(shop, "https://shop.example", "https://second.example");
    expect(errorOf(await press("sandbox-approve", own)).reason).toBe("form_rejected");
    expect((await page.view()).order.status).toBe("PENDING");
    const liveOrder = await createEmbeddedOrder(live);
    expect(errorOf(await liveOrder.press("sandbox-approve", own)).reason).toBe("form_rejected");
  });

  it("is not found for an unknown payment token or without the internal key", async () => {
    const { page } = await createEmbeddedOrder();
    const address = `${page.address}x/embed`;
    expect((await send(address, { headers: page.headers() })).status).toBe(404);
    const { "x-tillgate-internal-key": _key, ...stranger } = page.headers();
    expect((await send(`${page.address}/embed`, { headers: stranger })).status).toBe(404);
  });
});
