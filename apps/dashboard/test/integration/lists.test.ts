import { beforeEach, describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const HOME = `/m/${MERCHANT}/sandbox`;
const VIEWS = `GET /merchants/${MERCHANT}/sandbox/views`;
const PAID = { view_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e21", name: "Paid <ones>", query: "status=PAID" };
const money = (amount: string) => ({ amount, currency: "EUR" });
const ORDER = {
  order_id: "POS-1",
  status: "PAID",
  money: money("4.00"),
  refunded: money("1.25"),
  refund_pending: money("0.00"),
  payment_method: "both",
  reference: "cart 7",
  order_number: null,
  description: null,
  terminal_id: "counter",
  trx_id: "TRX-1",
  created_at: "2026-05-01T10:00:00+00:00",
  expires_at: "2026-05-01T10:15:00+00:00",
  paid_at: "2026-05-01T10:01:00+00:00",
};

const started = await sharedConsole();
beforeEach(() => {
  started.api.responses["GET /me"] = me();
  started.api.responses[`GET /merchants/${MERCHANT}/sandbox/orders`] = success({
    items: [ORDER],
    next: "POS-1",
    previous: null,
    partial: false,
    looked_to: null,
    totals: { count: 1, sums: [money("4.00")], partial: false },
  });
  started.api.responses[VIEWS] = success({ views: [] });
});

const open = async (query: string) =>
  (await new Visitor(started.origin).signedIn().get(`${HOME}/orders${query}`)).body;
const headsOf = (body: string) =>
  [...body.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, text]) =>
    text?.replace(/<[^>]*>| [↑↓]/g, ""),
  );
const linksOf = (body: string, ending: string) =>
  [...body.matchAll(/href="([^"]*)"/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => href.includes(ending));

describe("list columns", () => {
  const usual = ["Order", "Amount", "Status", "Method", "Created", "Actions"];

  it.each([
    ["", usual],
    ["?columns=trx_id,paid_at", ["Order", "Transaction", "Paid on", "Actions"]],
    ["?columns=paid_at&columns=trx_id", ["Order", "Paid on", "Transaction", "Actions"]],
    ["?columns=trx_id,nonsense,trx_id,__proto__", ["Order", "Transaction", "Actions"]],
    ["?columns=order_id", ["Order", "Actions"]],
    ["?columns=nonsense", usual],
    ["?columns=", usual],
  ])("are the known columns in URL order, without duplicates, or the defaults: %s", async (query, heads) => {
    expect(headsOf(await open(query))).toEqual(heads);
  });

  it("are preserved when filtering, and filters are preserved when choosing columns", async () => {
    const body = await open("?status=PAID&columns=trx_id,paid_at");
    expect(body).toContain('<input type="hidden" name="columns" value="order_id,trx_id,paid_at"/>');
    expect(body).toContain('<input type="hidden" name="status" value="PAID"/>');
    expect(linksOf(body, "before=")).toEqual([
      `${HOME}/orders?status=PAID&columns=trx_id%2Cpaid_at&before=POS-1`,
    ]);
  });

  it("apply to the filtered export, including the currency of its amounts, but not to the full export", async () => {
    const body = await open("?q=cart&before=POS-2&columns=refunded_amount,amount");
    expect(linksOf(body, "orders.csv")).toEqual([
      `${HOME}/orders.csv?q=cart&columns=order_id%2Crefunded_amount%2Ccurrency%2Camount`,
      `${HOME}/orders.csv?q=cart&columns=order_id%2Crefunded_amount%2Ccurrency%2Camount&dialect=semicolon`,
      `${HOME}/orders.csv?q=cart&columns=all`,
      `${HOME}/orders.csv?q=cart&columns=all&dialect=semicolon`,
    ]);
  });
});

const NOTHING = { count: 0, sums: [], partial: false };

describe("order list", () => {
  const listed = (totals: object, item: object = {}) => {
    started.api.responses[`GET /merchants/${MERCHANT}/sandbox/orders`] = success({
      items: [{ ...ORDER, ...item }],
      next: "POS-1",
      previous: null,
      partial: false,
      looked_to: null,
      totals,
    });
  };
  const shown = async (query = "") =>
    /<p class="totals"[^>]*>(.*?)<\/p>/
      .exec((await open(query)).replaceAll("\u00a0", " "))?.[1]
      ?.replace(/<[^>]*>/g, "");

  it("shows the row count and the sum per currency across all pages", async () => {
    listed({
      count: 1234,
      sums: [money("12345.00"), { amount: "5000", currency: "XAF" }],
      partial: false,
    });
    expect(await shown()).toBe("1,234 results · EUR 12,345.00 · XAF 5,000");
    listed({ count: 1, sums: [], partial: true });
    expect(await shown("?method=qr_only")).toBe("At least 1 result");
  });

  it.each([
    ["", "Older"],
    ["&after=POS-9", "Newer"],
    ["&sort=created_at", "Next"],
    ["&sort=created_at&after=POS-9", "Back"],
  ])('names the button that continues a partial scan (query "%s"): %s', async (query, button) => {
    started.api.responses[`GET /merchants/${MERCHANT}/sandbox/orders`] = success({
      items: [ORDER],
      next: "POS-1",
      previous: "POS-8",
      partial: true,
      looked_to: "2026-05-01T10:00:00+00:00",
      totals: NOTHING,
    });
    expect(await open(`?method=qr_only${query}`)).toContain(
      `Searched as far as 1 May 2026, 10:00 UTC. There may be more under “${button}”.`,
    );
  });

  it("offers 50 and 100 rows per page and preserves filters and columns", async () => {
    listed({ count: 21, sums: [], partial: false });
    const body = await open("?status=PAID&columns=trx_id&per_page=50&before=POS-2");
    const [first, , third] = linksOf(body.slice(body.indexOf('class="sizes"')), "status=PAID");
    expect(first).toBe(`${HOME}/orders?status=PAID&columns=order_id%2Ctrx_id`);
    expect(third).toBe(`${HOME}/orders?status=PAID&columns=order_id%2Ctrx_id&per_page=100`);
    expect(body.match(/<input type="hidden" name="per_page" value="50"\/>/g)).toHaveLength(2);
    expect(linksOf(body, "before=POS-1")[0]).toContain("per_page=50");
    expect(linksOf(body, "orders.csv")[0]).not.toContain("per_page");
    const orderRequests = started.api.requests.filter(({ path }) => path.endsWith("/orders"));
    expect(orderRequests).toHaveLength(1);
    listed({ count: 20, sums: [], partial: false });
    expect(await open("")).not.toContain('class="sizes"');
  });

  it("labels partially refunded orders, with a refund link for roles that may refund", async () => {
    listed({ count: 1, sums: [], partial: false }, { status: "PARTLY_REFUNDED" });
    const body = await open("");
    expect(body).toMatch(/data-status="PARTLY_REFUNDED">Partially refunded</);
    expect(body).toContain('<option value="PARTLY_REFUNDED">');
    expect(linksOf(body, "refund=1")).toEqual([`${HOME}/orders/POS-1?refund=1`]);
    started.api.responses["GET /me"] = me("viewer");
    expect(linksOf(await open(""), "refund=1")).toEqual([]);
    started.api.responses["GET /me"] = me();
    listed({ count: 1, sums: [], partial: false }, { status: "REFUNDED" });
    expect(linksOf(await open(""), "refund=1")).toEqual([]);
  });
});

describe("empty list", () => {
  const found = (response: object) => {
    started.api.responses[`GET /merchants/${MERCHANT}/sandbox/orders`] = success({
      items: [],
      next: null,
      previous: null,
      partial: false,
      looked_to: null,
      totals: NOTHING,
      ...response,
    });
  };
  const early = { next: "POS-9", partial: true, looked_to: "2026-05-01T10:00:00+00:00" };

  it("shows how far the API searched after a partial scan, and offers to continue", async () => {
    found(early);
    const body = await open("?method=qr_only");
    expect(body).toContain("No matches so far");
    expect(body).toContain("Searched as far as 1 May 2026, 10:00 UTC");
    expect(linksOf(body, "before=")[0]).toBe(`${HOME}/orders?method=qr_only&before=POS-9`);
    expect(body).not.toContain("<h2>No matches</h2>");
  });

  it("states that nothing matches after a complete scan, and offers to clear the filters", async () => {
    found({});
    const body = await open("?method=qr_only&columns=trx_id");
    expect(body).toContain("No matches");
    expect(body).toMatch(
      /<a class="button quiet" href="[^"]*orders\?columns=order_id%2Ctrx_id">Clear all<\/a>/,
    );
    const behind = await open("?method=qr_only&before=POS-9");
    expect(behind).toContain("No more matches");
    expect(behind).not.toContain("<h2>No matches</h2>");
  });

  it("shows that there are no orders yet if no filter is set", async () => {
    found({});
    expect(await open("")).toContain("No orders yet");
  });
});

describe("sort order of a list", () => {
  const sortsOf = (body: string) =>
    [
      ...body.matchAll(/<th scope="col"[^>]*?(?: aria-sort="(\w+)")?><a class="sort" href="([^"]*)">(\w+)/g),
    ].map(([, now, href = "", title]) => [
      title,
      now,
      new URLSearchParams(href.split("?")[1]?.replaceAll("&amp;", "&")).get("sort"),
    ]);

  it.each([
    [
      "",
      [
        ["Amount", undefined, "-amount"],
        ["Created", "descending", "created_at"],
      ],
    ],
    [
      "?sort=created_at",
      [
        ["Amount", undefined, "-amount"],
        ["Created", "ascending", "-created_at"],
      ],
    ],
    [
      "?sort=-amount",
      [
        ["Amount", "descending", "amount"],
        ["Created", undefined, "-created_at"],
      ],
    ],
    [
      "?sort=amount",
      [
        ["Amount", "ascending", "-amount"],
        ["Created", undefined, "-created_at"],
      ],
    ],
  ])("is shown in the column headings, which link to other sort orders: %s", async (query, sorts) => {
    expect(sortsOf(await open(query))).toEqual(sorts);
  });

  it("applies to exports, and links that change it preserve filters and columns but return to the first page", async () => {
    const body = await open("?status=PAID&columns=amount&sort=amount&before=POS-2");
    expect(linksOf(body, "sort=-amount")).toEqual([
      `${HOME}/orders?status=PAID&sort=-amount&columns=order_id%2Camount`,
    ]);
    expect(linksOf(body, "orders.csv")[0]).toContain("sort=amount");
    expect(body).toContain('rel="next"');
    expect(body).toContain("Next<");
  });
});

describe("saved views", () => {
  const visitor = () => new Visitor(started.origin).signedIn();
  const path = `/merchants/${MERCHANT}/sandbox/views`;

  it("are linked from the list, and the current view is marked regardless of the parameter order", async () => {
    started.api.responses[VIEWS] = success({ views: [PAID] });
    for (const [query, marked] of [
      ["", false],
      ["?status=PAID", true],
      ["?method=&status=PAID&before=POS-2&q=", true],
      ["?status=PAID&columns=trx_id", false],
    ] as const) {
      const body = await open(query);
      expect(
        body.includes(`class="view" href="${HOME}/orders?status=PAID" aria-current="page">Paid &lt;ones&gt;`),
      ).toBe(marked);
      expect(body.includes('data-action="rename-view"')).toBe(marked);
      expect(body.includes('data-action="save-view"')).toBe(!marked && query !== "");
    }
  });

  it("cannot be saved for an unfiltered list", async () => {
    expect(await open("?before=POS-2")).not.toContain("save-view");
  });

  it("are saved without the page position, and can be renamed and removed", async () => {
    for (const end of ["", `/${PAID.view_id}`])
      started.api.responses[`POST ${path}${end}`] = success({ view: PAID });
    started.api.responses[`POST ${path}/${PAID.view_id}/remove`] = success({});
    const address = `${HOME}/orders?status=PAID&before=POS-2`;
    const sent = async (action: string, fields: Record<string, string>) => {
      const { status, to } = await visitor().send(address, action, fields);
      expect(status).toBe(303);
      const { path: requested, body } = started.api.changes().at(-1) ?? { path: "", body: "{}" };
      return [to, requested.slice(path.length), JSON.parse(body)];
    };
    expect(await open("?status=PAID&before=POS-2")).toContain('name="query" value="status=PAID"');
    expect(await sent("save-view", { name: " Paid ", query: "status=PAID" })).toEqual([
      `${HOME}/orders?status=PAID`,
      "",
      { list: "orders", name: "Paid", query: "status=PAID" },
    ]);
    expect(await sent("rename-view", { name: "Paid", of: PAID.view_id })).toEqual([
      `${HOME}/orders?status=PAID`,
      `/${PAID.view_id}`,
      { name: "Paid" },
    ]);
    expect(await sent("remove-view", { of: PAID.view_id })).toEqual([
      `${HOME}/orders`,
      `/${PAID.view_id}/remove`,
      {},
    ]);
  });

  it("report a duplicate name next to the field and keep the input", async () => {
    started.api.responses[`POST ${path}`] = rejection(409, "view_name_taken");
    const { status, body } = await visitor().send(`${HOME}/orders?status=PAID`, "save-view", {
      name: "Taken",
      query: "status=PAID",
    });
    expect(status).toBe(409);
    expect(body).toMatch(/data-testid="error-name">You already have a view with this name/);
    expect(body).toContain('value="Taken"');
  });
});

describe("printed statement", () => {
  const path = `GET /merchants/${MERCHANT}/sandbox/wallets/EUR/statement/period`;
  const entry = {
    entry_id: "7",
    at: ORDER.created_at,
    kind: "payment",
    order_id: "POS-1",
    refund_id: null,
    payout_id: null,
  };
  const period = {
    opening: money("10.00"),
    closing: money("14.00"),
    total: 1,
    items: [
      { ...entry, money: money("4.00"), balance: money("14.00"), reference: "cart 7", order_reference: null },
    ],
  };
  const print = async (query = "") =>
    (await new Visitor(started.origin).signedIn().get(`${HOME}/wallets/EUR/print${query}`)).body.replaceAll(
      "\u00a0",
      " ",
    );

  it("shows its period, both balances and its entries", async () => {
    started.api.responses[path] = success(period);
    const body = await print("?from=2026-05-01&to=2026-05-31");
    for (const text of ["2026-05-01 – 2026-05-31", "EUR 10.00", "EUR 14.00", "+EUR 4.00", "cart 7", "Kiln"])
      expect(body).toContain(text);
  });

  it.each([
    ["an empty statement", success({ ...period, total: 0, items: [] }), "No movements in this period"],
    ["a statement of 1,000 movements", success({ ...period, total: 1_000 }), "cart 7"],
    [
      "a statement of 1,001 movements",
      success({ ...period, total: 1_001, items: [] }),
      "up to 1,000 movements",
    ],
    [
      "invalid dates",
      rejection(400, "invalid_fields", { from: ["The from field must be a day"] }),
      "Please correct: start date",
    ],
    ["an export in progress", rejection(429, "too_many_exports"), "try again in a moment"],
  ])("shows the entries or a message for %s", async (_, response, text) => {
    started.api.responses[path] = response;
    expect(await print("?from=x")).toContain(text);
  });
});

describe("search page", () => {
  it("reports that there are more results, and links to all of them", async () => {
    const hit = {
      kind: "order",
      id: "POS-1",
      exact: false,
      title: "cart 7",
      status: "PAID",
      money: money("4.00"),
    };
    started.api.responses[`GET /merchants/${MERCHANT}/sandbox/search`] = success({
      hits: [{ ...hit, at: ORDER.created_at }],
      more: ["order"],
    });
    const { body } = await new Visitor(started.origin).signedIn().get(`${HOME}/search?q=EUR+4.00`);
    expect(body).toContain("Only the latest matches are shown.");
    expect(linksOf(body, "q=")).toContain(`${HOME}/orders?q=EUR+4.00`);
  });
});
