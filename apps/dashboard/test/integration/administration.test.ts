import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { me, rejection, success } from "./support/fake-api.js";

const started = await sharedConsole();
const { api } = started;

const USER = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e23";
const SHOPPERS = "/admin/shoppers/live";
const shopper = {
  ...{ user_id: USER, name: "Zoé", phone: null, email: "zoe@example.com", active: true },
  created_at: "2026-11-22T08:00:00+00:00",
};

function administrator(): Visitor {
  api.responses["GET /me"] = me("administrator", true);
  api.responses["GET /administration/shoppers/live"] = success({ shoppers: [] });
  api.responses[`GET /administration/shoppers/live/${USER}`] = success({
    ...shopper,
    wallets: [
      ["EUR", null],
      ["XAF", "2026-11-23T08:00:00+00:00"],
    ].map(([currency, closed_at]) => ({
      ...{ account_id: USER, currency, closed_at, balance: { amount: "0.00", currency } },
    })),
  });
  return new Visitor(started.origin).signedIn();
}
const sent = () => api.changes().map(({ path, body }) => [path, JSON.parse(body)]);

describe("creating a shopper", () => {
  it("opens the wallets and shows the PIN once", async () => {
    const visitor = administrator();
    api.responses["POST /administration/shoppers/live"] = success({ user_id: USER, pin: "480913" });
    const fields = { name: "Zoé", phone: "", email: "zoe@example.com", currencies: "eur, xaf" };
    const { status, to } = await visitor.send(SHOPPERS, "make", fields);
    expect([status, to]).toEqual([303, `${SHOPPERS}/${USER}`]);
    expect(sent()).toEqual([["/administration/shoppers/live", { ...fields, currencies: ["EUR", "XAF"] }]]);
    expect((await visitor.get(to ?? "")).body).toContain("480913");
    expect((await visitor.get(to ?? "")).body).not.toContain("480913");
  });

  it.each([
    [{ name: "" }, "error-name"],
    [{ phone: "", email: "" }, "error-phone"],
  ])("shows the error at the invalid field: %o", async (wrong, error) => {
    const fields = { name: "Zoé", phone: "+33612345678", email: "", currencies: "", ...wrong };
    const { status, body } = await administrator().send(SHOPPERS, "make", fields);
    expect([status, body.includes(`data-testid="${error}"`), sent()]).toEqual([422, true, []]);
  });

  it("reports an e-mail address that is already in use", async () => {
    const visitor = administrator();
    api.responses["POST /administration/shoppers/live"] = rejection(409, "already_exists");
    const fields = { name: "Zoé", phone: "", email: "zoe@example.com", currencies: "" };
    expect((await visitor.send(SHOPPERS, "make", fields)).body).toContain("This already exists");
  });
});

describe("a shopper’s wallet", () => {
  const page = `${SHOPPERS}/${USER}`;

  it("can be opened, closed and reopened, but not closed while it has a balance", async () => {
    const visitor = administrator();
    const path = `/administration/shoppers/live/${USER}/wallets`;
    api.responses[`POST ${path}`] = success({ changed: true });
    await visitor.send(page, "wallet", { currency: "usd" });
    await visitor.send(page, "wallet-state", { of: "EUR", open: "false" });
    await visitor.send(page, "wallet-state", { of: "XAF", open: "true" });
    expect(sent()).toEqual([
      [path, { currency: "USD", open: true }],
      [path, { currency: "EUR", open: false }],
      [path, { currency: "XAF", open: true }],
    ]);
    api.responses[`POST ${path}`] = rejection(409, "wallet_not_empty");
    const { status, body } = await visitor.send(page, "wallet-state", { of: "EUR", open: "false" });
    expect([status, body.includes("The wallet isn’t empty")]).toEqual([409, true]);
  });
});

it("the audit page shows violations and the latest hashes, keeps the entered hash, and reports verified passkey signatures", async () => {
  const visitor = administrator();
  const noted = "b".repeat(64);
  api.responses["GET /administration/audit"] = success({ records: [], next: null });
  api.responses["GET /administration/audit/check"] = success({
    ...{ sound: false, violations: ["records were cut off"], found_noted: false },
    chains: [{ merchant: null, records: 3, last_hash: "a".repeat(64) }],
  });
  const { body } = await visitor.get(`/admin/audit?check=1&noted=${noted}`);
  for (const text of ["records were cut off", "a".repeat(64), `value="${noted}"`])
    expect(body).toContain(text);
  api.responses["GET /administration/audit/confirmations"] = success({
    ...{ sound: true, violations: [], checked: 2 },
  });
  const signed = await visitor.get("/admin/audit?confirmations=1");
  expect(signed.body).toContain("Verified: all 2 payments confirmed with a passkey");
});

it("the export links of the audit page contain its non-empty filters, and request the export from the API", async () => {
  const visitor = administrator();
  api.responses["GET /administration/audit"] = success({ records: [], next: null });
  const { body } = await visitor.get("/admin/audit?merchant=&action=user.");
  expect(body).toContain('href="/admin/audit.csv?action=user."');
  await visitor.get("/admin/audit.json?merchant=&action=user.");
  const paths = api.requests.map(({ path }) => path);
  expect(paths).toContain("/administration/audit.json");
});

describe("the health page", () => {
  const at = "2026-01-01T02:00:00+00:00";
  const now = new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
  const backup = { finished_at: now, error: null, proved_at: now };
  const archiving = { archived_at: at, failing_since: null, waiting_segments: 0 };
  const proof = {
    ...{ proof_id: USER, requested_at: now, requested_by: null, started_at: now, finished_at: now },
    ...{ sound: true, faults: [], error: null },
  };
  const health = {
    ...{ clock_offset_ms: 0, database_trouble: null, overdue_orders: 0, expiry_failures: 0, endpoints: [] },
    deliveries: { due: 0, retrying: 0, leased: 0, overdue_seconds: 0 },
    mails: { waiting: 0, given_up: 0 },
    ...{ unfolded_counts: 0, waiting: { payouts: 0, refunds: 0, requests: 0 } },
  };
  const stalled = { ...archiving, waiting_segments: 4 };
  const failing = { ...archiving, failing_since: at };
  const unused = { ...archiving, archived_at: null, waiting_segments: null };

  it.each([
    ["everything in order", {}, {}, "All systems operational."],
    [
      "backups made by the database provider",
      { backup: null, archiving: null },
      {},
      "All systems operational.",
    ],
    [
      "a failed backup",
      { backup: { ...backup, error: "no room" } },
      {},
      "The database isn’t fully backed up.",
    ],
    ["no verified backup", { backup: null }, {}, "The database isn’t fully backed up."],
    [
      "an outdated backup",
      { backup: { ...backup, proved_at: "2026-01-01T00:00:00+00:00" } },
      {},
      "The database isn’t fully backed up.",
    ],
    ["failing archiving", { archiving: failing }, {}, "The database isn’t fully backed up."],
    [
      "archiving that has never succeeded",
      { archiving: { ...unused, failing_since: at } },
      {},
      "The database isn’t fully backed up.",
    ],
    ["archiving that has not archived anything yet", { archiving: unused }, {}, "All systems operational."],
    ["archiving that is behind", { archiving: stalled }, {}, "The database isn’t fully backed up."],
    ["an outdated ledger proof", {}, { finished_at: at }, "The ledger hasn’t been verified"],
    ["a ledger proof that could not run", {}, { sound: null }, "The ledger hasn’t been verified"],
    ["a database that rejects writes", { database_trouble: "full" }, {}, "The database isn’t working"],
    ["delayed jobs", { expiry_failures: 1 }, {}, "Some jobs are delayed or failed."],
    [
      "a database clock that is ahead",
      { clock_offset_ms: -600_000 },
      {},
      "The clocks of the API and the database differ by 600 seconds.",
    ],
    [
      "a database clock that is behind",
      { clock_offset_ms: 600_000 },
      {},
      "The clocks of the API and the database differ by 600 seconds.",
    ],
    ["a small clock difference", { clock_offset_ms: -5_000 }, {}, "All systems operational."],
    [
      "a broken ledger together with other problems",
      { archiving: failing },
      { sound: false },
      "The ledger failed verification.",
    ],
  ])("shows one summary sentence for %s", async (_what, state, verdict, sentence) => {
    const visitor = administrator();
    api.responses["GET /administration/health"] = success({ ...health, backup, archiving, ...state });
    api.responses["GET /administration/proofs"] = success({ proofs: [{ ...proof, ...verdict }] });
    const { body } = await visitor.get("/admin");
    expect(/data-testid="health">([^<]*)/.exec(body)?.[1]).toContain(sentence);
    const isReported = "archiving" in state && state.archiving !== null && state.archiving !== unused;
    expect(body.includes('data-testid="archiving"')).toBe(isReported);
  });
});
