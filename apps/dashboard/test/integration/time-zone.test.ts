import { expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

it("times are in the chosen time zone, otherwise in the browser's, otherwise in UTC", async () => {
  api.responses["GET /me"] = me();
  const at = "2026-01-01T12:00:00+00:00";
  const session = { session_id: MERCHANT, current: true, created_at: at, last_seen_at: at, expires_at: at };
  api.responses["GET /sessions"] = success({
    sessions: [{ ...session, client_network: "192.0.2.1", browser: "curl" }],
  });
  const visitor = new Visitor(started.origin).signedIn();
  const shown = async () => /<time[^>]*>([^<]*)<\/time>/.exec((await visitor.get("/account")).body)?.[1];
  expect(await shown()).toBe("1 Jan 2026, 12:00 UTC");
  visitor.cookies.set("tillgate_console_browser_zone", "Mars/Base");
  expect(await shown()).toBe("1 Jan 2026, 12:00 UTC");
  visitor.cookies.set("tillgate_console_browser_zone", "Europe/Paris");
  expect(await shown()).toBe("1 Jan 2026, 13:00 CET");
  const chosen = await visitor.send("/account", "time-zone", { time_zone: "Africa/Lagos" });
  expect(chosen.headers.getSetCookie().join()).toMatch(/tillgate_console_zone=Africa\/Lagos;[^,]*HttpOnly/);
  expect(await shown()).toMatch(/^1 Jan 2026, 13:00 (WAT|GMT\+1)$/);
  expect((await visitor.send("/account", "time-zone", { time_zone: "Mars/Base" })).status).toBe(422);
  await visitor.send("/account", "time-zone", { time_zone: "" });
  expect(await shown()).toBe("1 Jan 2026, 13:00 CET");
});

const HOME = `/m/${MERCHANT}/sandbox`;
const API = `/merchants/${MERCHANT}/sandbox`;
const visitorIn = (zone: string) => {
  api.responses["GET /me"] = me("owner", true);
  const visitor = new Visitor(started.origin).signedIn();
  visitor.cookies.set("tillgate_console_browser_zone", zone);
  return visitor;
};

it("API calls of pages and exports send the user's time zone", async () => {
  const list = {
    items: [],
    next: null,
    previous: null,
    partial: false,
    looked_to: null,
    totals: { count: 0, sums: [], partial: false },
  };
  api.responses[`GET ${API}/orders`] = success(list);
  api.responses[`GET ${API}/views`] = success({ views: [] });
  for (const file of ["orders.csv", "wallets/EUR/statement.csv"])
    api.responses[`GET ${API}/${file}`] = success({});
  const visitor = visitorIn("Asia/Tokyo");
  for (const path of ["orders?from=2026-05-04", "orders.csv?from=2026-05-04", "wallets/EUR/statement.csv"])
    await visitor.get(`${HOME}/${path}`);
  const calls = api.requests.map(({ path, headers }) => [path, headers["x-tillgate-time-zone"]]);
  expect(calls.map(([path]) => path)).toContain(`${API}/orders.csv`);
  expect(calls.map(([path]) => path)).toContain(`${API}/wallets/EUR/statement.csv`);
  expect(new Set(calls.map(([, zone]) => zone))).toEqual(new Set(["Asia/Tokyo"]));
});

it("a printed statement shows the time zone of its days", async () => {
  const money = { amount: "0.00", currency: "EUR" };
  api.responses[`GET ${API}/wallets/EUR/statement/period`] = success({
    ...{ opening: money, closing: money, total: 0, items: [] },
  });
  const { body } = await visitorIn("America/New_York").get(`${HOME}/wallets/EUR/print?from=2026-05-04`);
  expect(body).toContain("Dates (America/New York)");
});

it("a resend range is parsed in the user's time zone, even across daylight saving changes", async () => {
  const path = `${API}/deliveries`;
  api.responses[`GET ${path}`] = success({ deliveries: [], next: null });
  api.responses[`POST ${API}/resend`] = success({ resent: 1, skipped: 0, more: false });
  const visitor = visitorIn("Europe/Paris");
  const address = `${HOME}/webhooks/deliveries`;
  expect((await visitor.get(address)).body).toContain("From (Europe/Paris)");
  const range = { from: "2026-03-29T00:00", to: "2026-03-30T00:00", what: "failed" };
  await visitor.send(address, "resend", range);
  const [sent] = api.changes().slice(-1);
  expect(JSON.parse(sent?.body ?? "{}")).toMatchObject({
    from: "2026-03-28T23:00:00.000Z",
    to: "2026-03-29T22:00:00.000Z",
  });
});
