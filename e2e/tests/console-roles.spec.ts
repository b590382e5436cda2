import { type ConsoleRight, hasRight, memberRoleSchema } from "@tillgate/contract";
import { routeOf } from "../fixtures/console-routes.js";
import { expect, test } from "../fixtures/test.js";
import { createPaidOrder } from "../fixtures/tillgate.js";
import { Console } from "../pages/console.js";

/** Console forms with sample values, and the right that each requires. */
const FORMS: [right: ConsoleRight, page: string, action: string, fields: Record<string, string>][] = [
  ["orders.cancel", "/orders/{open}", "cancel", { reason: "Typed twice" }],
  ["refunds.create", "/orders/{paid}", "refund", { amount: "1.00", idempotency_key: "roles" }],
  ["payouts.create", "/payouts/new", "lookup", { recipient: "nobody@example.com" }],
  [
    "payouts.create",
    "/payouts/batches/new",
    "upload",
    { lines: "id,recipient,amount,currency\n1,x,1,EUR", amounts: "1234.56" },
  ],
  ["wallets.top_up", "/wallets", "top-up", { currency: "EUR", amount: "1", idempotency_key: "roles" }],
  ["tills.change", "/tills", "make", { name: "Theirs", terminal_id: "theirs", currency: "EUR" }],
  ["links.change", "/links", "make", { description: "Theirs", currency: "EUR", amount: "1" }],
  ["controls.change", "/test-controls", "order", { control: "delivery_twice", count: "1" }],
  ["webhooks.change", "/webhooks", "add", { address: "https://shop.example/theirs" }],
  ["credentials.reports", "/developers", "make", { kind: "client", may: "all" }],
  ["members.manage", "/members", "invite", { email: "theirs@example.com", role: "owner" }],
  ["settings.change", "/settings", "brand", { name: "Theirs", accent: "", step: "save" }],
  ["reports.view", "/settings", "monthly-report", { enabled: "true" }],
];
/** Pages restricted to some roles. */
const PAGES: [right: ConsoleRight, page: string][] = [
  ["credentials.view", "/developers"],
  ["credentials.view", "/developers/reference"],
  ["requests.view", "/developers/requests"],
  ["reports.view", "/reports"],
  ["reports.view", "/reports/fees"],
  ["reports.view", "/reports/shops"],
  ["payouts.create", "/payouts/new"],
  ["payouts.create", "/payouts/batches/new"],
];

test("each merchant role sees only permitted forms and sections, and the server rejects the other forms @one-width", async ({
  page,
  books,
  sandbox,
  tillgate,
}) => {
  test.slow();
  const open = await tillgate.placeOrder("3.00");
  const paid = await createPaidOrder(tillgate, "4.00");

  const member = { email: "every.role@example.com", password: sandbox.merchant_user.password };
  await books.addConsoleUser(member.email, sandbox.merchant_user);
  const home = await new Console(page, sandbox).signInAtHome(member);
  // The home page would reload itself once the member's role no longer sees the setup guide.
  await page.goto("about:blank");
  const addressOf = (path: string) => `${home}${path.replace("{open}", open.id).replace("{paid}", paid.id)}`;
  const token = (html: string) => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const request = async (address: string) => {
    const response = await page.request.get(address);
    return { status: response.status(), html: await response.text() };
  };

  for (const role of memberRoleSchema.options) {
    await books.setConsoleRole(member.email, role);
    const own = token((await request(home)).html);
    for (const [right, path] of PAGES)
      expect
        .soft((await request(addressOf(path))).status, `${role}: ${path}`)
        .toBe(hasRight(role, right) ? 200 : 403);
    for (const [right, path, action, fields] of FORMS) {
      const what = `${role}: ${action} at ${path}`;
      const may = hasRight(role, right);
      const { html } = await request(addressOf(path));
      expect.soft(html.includes(`data-action="${action}"`), `${what} is shown`).toBe(may);
      if (may) continue;
      const sent = await page.request.post(addressOf(path), {
        form: { form_token: own, action, ...fields },
        headers: { origin: sandbox.dashboard },
        maxRedirects: 0,
      });
      expect.soft(sent.status(), what).toBe(403);
      expect.soft(await sent.text(), what).toContain("Your role doesn’t allow this");
    }
    // Members see no administration pages, and no navigation to restricted sections.
    expect
      .soft((await request(`${sandbox.dashboard}/admin/funds`)).status, `${role}: administration`)
      .toBe(403);
    const [sections = ""] = /<nav class="sections"[\s\S]*?<\/nav>/.exec((await request(home)).html) ?? [];
    const links = [...sections.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(links).not.toEqual([]);
    for (const link of links)
      expect.soft((await request(new URL(link, home).href)).status, `${role}: ${link}`).toBe(200);
    const leadsToKeys = links.some((link) => routeOf(link)?.endsWith("/developers"));
    expect.soft(leadsToKeys, `${role}: link to the API keys`).toBe(hasRight(role, "credentials.view"));
  }
  expect((await tillgate.orders.get(open.id)).status).toBe("PENDING");
  expect((await tillgate.orders.get(paid.id)).refunded_amount).toBe(0);
});
