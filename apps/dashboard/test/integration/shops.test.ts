import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;
const HOME = `/m/${MERCHANT}/sandbox`;
const EDGE = `/merchants/${MERCHANT}/sandbox`;
beforeEach(() => {
  api.responses["GET /me"] = me("finance");
});
const open = async (path: string, language = "en") =>
  (await new Visitor(started.origin).signedIn().get(`${HOME}${path}`, { "accept-language": language })).body
    .replaceAll(/<!-- -->/g, "")
    .replaceAll("&amp;", "&");

const shop = (known: object = {}) => ({
  ...{ shop_id: "a1", name: "kiln.example", site: "kiln.example; id=3f2a", key: "Kiln shop" },
  ...{ started_at: "2026-11-27T03:00:00+00:00", completed_at: "2026-11-27T03:12:00+00:00" },
  ...{ running: false, compared: 1_204, skipped: 0, overdue: false, differences: 2 },
  ...known,
});
const difference = (known: object = {}) => ({
  ...{ difference_id: "1", order_id: "POS-1", known: true, order_number: "1001" },
  ...{
    order_url: "https://kiln.example/wp-admin/post.php?post=1001",
    text: "It differs.",
    advice: "Fix it.",
  },
  ...{ repair: null, found_at: "2026-11-26T03:10:00+00:00" },
  ...known,
});

describe("shops page", () => {
  it("shows each shop's last comparison, and links to its differences", async () => {
    api.responses[`GET ${EDGE}/reports/shops`] = success({
      shops: [
        shop(),
        shop({ shop_id: "b2", name: null, site: null, completed_at: null, running: true, overdue: true }),
      ],
    });
    const body = await open("/reports/shops");
    expect(body).toContain(`<a href="${HOME}/reports/shops/a1">kiln.example</a>`);
    expect(body).toContain(`<a href="${HOME}/reports/shops/b2">Shop with API key Kiln shop</a>`);
    expect(body).toContain("1,204");
    expect(body).toContain('dateTime="2026-11-27T03:12:00+00:00"');
    for (const text of ["None completed", "(in progress)", "Overdue"]) expect(body).toContain(text);
  });

  it("explains how to compare a shop if there are no shops", async () => {
    api.responses[`GET ${EDGE}/reports/shops`] = success({ shops: [] });
    const body = await open("/reports/shops");
    expect(body).toContain('data-testid="empty"');
    expect(body).toContain("PUT /comparisons/{day}");
  });

  it("is linked from the reports", async () => {
    const wallet = { wallet: "EUR", currency: "EUR", balance: "1.00", first_entry_at: null };
    api.responses[`GET ${EDGE}/reports`] = success({ wallets: [wallet] });
    api.responses[`GET ${EDGE}/reports/EUR/months`] = success({ currency: "EUR", months: [], next: null });
    expect(await open("/reports")).toContain(`href="${HOME}/reports/shops"`);
  });
});

describe("page of a shop", () => {
  const respond = (differences: object[], next: string | null = null, of: object = shop()) => {
    api.responses[`GET ${EDGE}/reports/shops/a1`] = success({ shop: of, differences, next });
  };

  it("links each difference to the order in Tillgate and in the shop, and explains what to do", async () => {
    respond(
      [
        difference(),
        difference({
          difference_id: "2",
          order_id: "POS-2",
          known: false,
          order_number: "1002",
          order_url: null,
        }),
        difference({ difference_id: "3", repair: "Update from Tillgate" }),
      ],
      "next",
    );
    const body = await open("/reports/shops/a1");
    expect(body).toContain(`<a href="${HOME}/orders/POS-1">POS-1</a>`);
    expect(body).toContain(
      '<a href="https://kiln.example/wp-admin/post.php?post=1001" rel="noopener noreferrer">1001</a>',
    );
    // An order that Tillgate does not have, without a URL in the shop.
    expect(body).not.toContain(`${HOME}/orders/POS-2`);
    expect(body).toContain(">1002<");
    expect(body).toContain("It differs.");
    expect(body).toContain("Fix it.");
    expect(body).toContain("click “Update from Tillgate”");
    expect(body).toContain('dateTime="2026-11-26T03:10:00+00:00"');
    expect(body).toContain(`href="${HOME}/reports/shops/a1?before=next"`);
    expect(body).toContain("kiln.example; id=3f2a");
  });

  it("does not link to a javascript: URL", async () => {
    respond([difference({ order_url: "javascript:alert(1)" })]);
    expect(await open("/reports/shops/a1")).not.toContain("javascript:");
  });

  it("reports that all compared orders match if there are no differences", async () => {
    respond([], null, shop({ differences: 0, skipped: 3 }));
    const body = await open("/reports/shops/a1");
    expect(body).toContain("All compared orders match Tillgate or were marked as correct in the shop.");
    expect(body).toContain("couldn’t be read in the shop");
    respond([], null, shop({ differences: 0, completed_at: null, running: true }));
    expect(await open("/reports/shops/a1")).toContain(
      "All orders compared so far match Tillgate or were marked as correct in the shop.",
    );
  });

  it("explains that the shop can be listed again, stops monitoring it, and returns to the list", async () => {
    respond([]);
    api.responses[`POST ${EDGE}/reports/shops/a1/remove`] = success({});
    api.responses[`GET ${EDGE}/reports/shops`] = success({ shops: [] });
    const body = await open("/reports/shops/a1");
    expect(body).toContain("Stop monitoring this shop</summary>");
    expect(body).toContain("If the shop compares its orders again, it is listed again.");
    const visitor = new Visitor(started.origin).signedIn();
    const sent = await visitor.send(`${HOME}/reports/shops/a1`, "remove", {});
    expect([sent.status, sent.to]).toEqual([303, `${HOME}/reports/shops`]);
    api.responses[`POST ${EDGE}/reports/shops/a1/remove`] = rejection(404, "shop_not_found");
    const again = await visitor.send(`${HOME}/reports/shops/a1`, "remove", {});
    expect([again.status, again.to]).toEqual([303, `${HOME}/reports/shops`]);
    expect((await visitor.get(`${HOME}/reports/shops`)).body).toContain("The shop is no longer monitored.");
  });

  it("requests the API's texts in the page's language", async () => {
    respond([difference()]);
    expect(await open("/reports/shops/a1", "fr")).toContain("Commande dans la boutique"); // cspell:disable-line
    expect(api.requests.find(({ path }) => path === `${EDGE}/reports/shops/a1`)).toMatchObject({
      query: "language=fr",
    });
  });
});

it("the shops page and the page of a shop are hidden from roles without the right to view reports", async () => {
  api.responses["GET /me"] = me("viewer");
  api.responses[`GET ${EDGE}/reports/shops`] = success({ shops: [shop()] });
  api.responses[`GET ${EDGE}/reports/shops/a1`] = success({ shop: shop(), differences: [], next: null });
  for (const path of ["/reports/shops", "/reports/shops/a1"])
    expect(await open(path)).not.toContain("kiln.example");
});

it("the home page links to a shop that needs attention, except for roles that cannot open it", async () => {
  const attention = ["shop_differs", "shop_not_compared"].map((kind) => ({
    ...{ kind, id: "a1", title: "kiln.example", money: null, at: null },
  }));
  const setup = {
    ...{ key: true, client_id: null, endpoint: true, order: true, order_id: null, order_payable: false },
    ...{ paid: true, delivered: true },
  };
  const orders = { paid: 1, expired: 0, cancelled: 0, pending: 0 };
  api.responses[`GET ${EDGE}/home`] = success({ wallets: [], sums: [], orders, attention, setup });
  const link = `href="${HOME}/reports/shops/a1"`;
  const body = await open("");
  expect(body.split(link)).toHaveLength(3);
  for (const text of ["Shop differs from Tillgate", "Shop not compared for two days"])
    expect(body).toContain(text);
  api.responses["GET /me"] = me("developer");
  const unlinked = await open("");
  expect(unlinked).toContain("Shop differs from Tillgate");
  expect(unlinked).not.toContain(link);
});
