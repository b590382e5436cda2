import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const BATCH = "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e21";
const PAGES = `/m/${MERCHANT}/sandbox/payouts/batches`;
const EDGE = `/merchants/${MERCHANT}/sandbox/payouts/batches`;

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();

const money = (amount: string) => ({ amount, currency: "EUR" });
const batch = (state: string, counts: Record<string, number>) => ({
  batch_id: BATCH,
  name: "Wages May",
  state,
  created_by: "owner@example.com",
  created_at: "2026-05-01T10:00:00+00:00",
  confirmed_by: null,
  confirmed_at: null,
  lines: 2,
  round: 3,
  repeats: 1,
  counts,
  totals: [
    {
      lines: 2,
      money: money("20.00"),
      fee: money("0.60"),
      total: money("20.60"),
      wallet: money("5.00"),
      enough: false,
    },
  ],
});
const line = {
  line: 2,
  id: "W-1",
  state: "failed",
  recipient: "n•••@example.com",
  recipient_name: null,
  money: money("10.00"),
  fee: null,
  received: null,
  description: null,
  failure: "daily_limit_exceeded",
  payout_id: null,
  same_as: { batch_id: BATCH, name: "Wages April", line: 7 },
};
function shown(state: string, counts: Record<string, number>, role = "finance"): void {
  api.responses["GET /me"] = me(role, true);
  api.responses[`GET ${EDGE}/${BATCH}`] = success(batch(state, counts));
  api.responses[`GET ${EDGE}/${BATCH}/lines`] = success({ lines: [line], next: "2" });
}

describe("new bulk payout page", () => {
  it.each(["developer", "viewer"])(
    "is forbidden for the role %s even though the page loads no data from the API",
    async (role) => {
      api.responses["GET /me"] = me(role);
      const { status, body } = await visit().get(`${PAGES}/new`);
      expect([status, body.includes("Your role doesn’t allow this"), body.includes("<textarea")]).toEqual([
        ...[403, true, false],
      ]);
    },
  );

  const problem = (line: number, fault: string, value: string | null = null) => ({
    line,
    column: "amount",
    fault,
    value,
  });

  it("shows the listed invalid lines, the number of further invalid lines, and the input for correction", async () => {
    api.responses["GET /me"] = me("finance", true);
    api.responses[`POST ${EDGE}`] = success({
      batch_id: null,
      problems: [problem(2, "required"), problem(9, "amount", "1234 JPY")],
      problem_count: 5,
    });
    const lines = "id,recipient,amount,currency\n1,a@b.example,,EUR";
    const { status, body } = await visit().send(`${PAGES}/new`, "upload", {
      lines,
      name: "May",
      amounts: "1.234,56",
    });
    expect(status).toBe(422);
    expect(body).toContain("Line 2: amount is empty.");
    expect(body).toContain("formatted as 1234 JPY");
    expect(body).toContain("…and 3 more.");
    expect(body).toContain("1,a@b.example,,EUR</textarea>");
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({
      name: "May",
      csv: lines,
      amounts: "1.234,56",
    });
  });

  it("accepts a Windows-1252 file from an old spreadsheet", async () => {
    api.responses["GET /me"] = me("finance", true);
    api.responses[`POST ${EDGE}`] = success({ batch_id: BATCH, problems: [], problem_count: 0 });
    const visitor = visit();
    const { body } = await visitor.get(`${PAGES}/new`);
    const form = new FormData();
    form.set("form_token", /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "");
    form.set("action", "upload");
    form.set("amounts", "1234.56");
    form.set("file", new Blob([Buffer.from("id;description\n1;café", "latin1")]), "wages.csv");
    const response = await fetch(`${started.origin}${PAGES}/new`, {
      method: "POST",
      headers: {
        Cookie: [...visitor.cookies].map((pair) => pair.join("=")).join("; "),
        Origin: started.origin,
      },
      body: form,
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([303, `${PAGES}/${BATCH}`]);
    expect(JSON.parse(api.changes()[0]?.body ?? "").csv).toBe("id;description\n1;café");
  });

  it("rejects empty or oversized input without uploading it", async () => {
    api.responses["GET /me"] = me("finance", true);
    for (const [lines, text] of [
      [" ", "Choose a file"],
      ["x".repeat(256 * 1024 + 1), "larger than 256 KiB"],
    ] as const)
      expect((await visit().send(`${PAGES}/new`, "upload", { lines })).body).toContain(text);
    expect(api.changes()).toEqual([]);
  });
});

describe("bulk payout page", () => {
  it("shows the cost and warnings, and sends the displayed round with the confirmation", async () => {
    shown("ready", { ready: 2, failed: 1 });
    const { body } = await visit().get(`${PAGES}/${BATCH}`);
    for (const text of [
      "EUR 20.60",
      "balance of the EUR wallet is too low",
      "as line 7 in Wages April",
      "1 line has",
    ])
      expect(body.replaceAll("\u00a0", " ")).toContain(text);
    expect(body).toContain("This payout would exceed the daily limit.");
    expect(body).not.toContain('http-equiv="refresh"');
    api.responses[`POST ${EDGE}/${BATCH}/confirm`] = success({ lines: 2 });
    const round = /name="round" value="(\d+)"/.exec(body)?.[1] ?? "";
    const sent = await visit().send(`${PAGES}/${BATCH}`, "confirm", { round });
    expect([sent.status, sent.to]).toEqual([303, `${PAGES}/${BATCH}`]);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({ round: 3 });
  });

  it("reports that the bulk payout has changed since it was displayed", async () => {
    shown("ready", { ready: 2 });
    api.responses[`POST ${EDGE}/${BATCH}/confirm`] = rejection(409, "batch_changed");
    const { status, body } = await visit().send(`${PAGES}/${BATCH}`, "confirm", { round: "2" });
    expect(status).toBe(409);
    expect(body).toContain("This bulk payout has changed or is still being checked.");
  });

  it("shows the number of checked lines during a recheck, and that checking pays nothing", async () => {
    shown("checking", { checking: 1, completed: 1 });
    const { body } = await visit().get(`${PAGES}/${BATCH}`);
    expect(body).toContain("1 of 2 lines checked. Checking doesn’t pay anything.");
  });

  it("shows progress during payment, even without scripts, and has no confirm button", async () => {
    shown("paying", { paying: 1, completed: 1 });
    const { body } = await visit().get(`${PAGES}/${BATCH}`);
    expect(body).toMatch(/<noscript[^>]*><meta http-equiv="refresh" content="4"/i);
    expect(body).toContain("1 of 2 lines processed");
    expect(body).not.toContain('value="confirm"');
  });

  it.each(["viewer", "developer"])("shows the lines to the role %s, but no actions", async (role) => {
    shown("ready", { ready: 2, failed: 1 }, role);
    const { body } = await visit().get(`${PAGES}/${BATCH}`);
    expect(body).toContain("W-1");
    for (const action of ["confirm", "again", "discard"]) expect(body).not.toContain(`value="${action}"`);
    expect((await visit().get(PAGES)).body).not.toContain("batches/new");
  });
});
