import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const SETTINGS = `/m/${MERCHANT}/sandbox/settings`;
const BRANDING = `/merchants/${MERCHANT}/branding`;
const ORIGINS = `/merchants/${MERCHANT}/sandbox/embed-origins`;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]);

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin).signedIn();

const shade = { color: "#8a7c00", text: "#ffffff", text_contrast: 4.61, own_contrast: 1.29 };

/** Sets the API's responses for a merchant with a logo. */
function merchant(role = "owner", monthlyReport: { time_zone: string; month: string } | null = null): void {
  api.responses["GET /me"] = me(role);
  api.responses[`GET /merchants/${MERCHANT}/profile`] = success({
    merchant_id: MERCHANT,
    name: "Kiln & Clover",
    suspended: false,
    partner_api: true,
    refunds_need_approval: false,
    notice_email: "ops@example.com",
    mails: { approvals: [], summary: ["boss@example.com"] },
    monthly_report: monthlyReport,
  });
  for (const path of ["profile", "monthly-report"])
    api.responses[`POST /merchants/${MERCHANT}/${path}`] = api.responses[
      `GET /merchants/${MERCHANT}/profile`
    ] ?? [500, {}];
  api.responses[`GET ${ORIGINS}`] = success({ origins: ["http://localhost:4003"] });
  api.responses[`POST ${ORIGINS}`] = api.responses[`GET ${ORIGINS}`] ?? [500, {}];
  const branding = { name: null, accent: "#0b7a75", logo: `data:image/png;base64,${PNG.toString("base64")}` };
  api.responses[`GET ${BRANDING}`] = success(branding);
  api.responses[`POST ${BRANDING}`] = success(branding);
  const dark = { color: "#ffe600", text: "#000000", text_contrast: 16.4, own_contrast: 14.1 };
  api.responses[`GET ${BRANDING}/preview`] = success({ light: shade, dark, least_contrast: 3 });
}

/** Submits a form with a file, as a browser does. */
async function upload(visitor: Visitor, action: string, file: Buffer, origin = started.origin) {
  const { body } = await visitor.get(SETTINGS);
  const form = new FormData();
  form.set("form_token", /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "");
  form.set("action", action);
  form.set("file", new Blob([Uint8Array.from(file)], { type: "image/png" }), "logo.png");
  const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
  const headers = { Cookie: cookie, Origin: origin };
  const response = await fetch(`${started.origin}${SETTINGS}`, {
    method: "POST",
    headers,
    body: form,
    redirect: "manual",
  });
  return { status: response.status, body: await response.text() };
}

describe("brand settings", () => {
  it("preview the payment page in the colours that the API computes, and explain adjusted colours", async () => {
    merchant();
    const { body } = await visit().get(SETTINGS);
    expect(body).toContain('fill="#8a7c00"');
    expect(body).toContain('fill="#ffe600"');
    expect(body).toContain("Your colour’s contrast with the page is only 1.2:1");
    expect(body).toContain(`href="/api/logos/${MERCHANT}"`);
    expect(body).not.toContain("Nothing has been saved");
  });

  it("preview a colour through the URL without saving it, and save it with the other button", async () => {
    merchant();
    const visitor = visit();
    const typed = { name: "Café & Co", accent: "#ffe600" };
    const tried = await visitor.send(SETTINGS, "brand", { ...typed, step: "try" });
    expect([tried.status, tried.to]).toEqual([
      303,
      `${SETTINGS}?name=Caf%C3%A9+%26+Co&accent=%23ffe600#brand`,
    ]);
    expect(api.changes()).toEqual([]);
    const { body } = await visitor.get(tried.to ?? "");
    expect(body).toContain("Nothing has been saved");
    expect(body).toContain("Café &amp; Co");
    const saved = await visitor.send(SETTINGS, "brand", { ...typed, step: "save" });
    expect(saved.to).toBe(SETTINGS);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual(typed);
  });

  it("report an invalid colour next to its field without calling the API", async () => {
    merchant();
    const { status, body } = await visit().send(SETTINGS, "brand", { accent: "blue", step: "save" });
    expect(status).toBe(422);
    expect(body).toMatch(/data-testid="error-accent"[^>]*>Enter a colour/);
    expect(api.changes()).toEqual([]);
  });

  it("are read-only for a viewer", async () => {
    merchant("viewer");
    const { body } = await visit().get(SETTINGS);
    expect(body).toContain("ops@example.com");
    for (const action of ["brand", "logo", "notices", "origins"])
      expect(body).not.toContain(`data-action="${action}"`);
  });
});

describe("notification addresses", () => {
  it("are optional and separated by commas, and rejected with an error next to their field if any is invalid or there are too many", async () => {
    merchant();
    const visitor = visit();
    const sent = { notice_email: "", approvals: "a@example.com, b@example.com", summary: "" };
    expect((await visitor.send(SETTINGS, "notices", sent)).status).toBe(303);
    const body = {
      notice_email: null,
      mails: { approvals: ["a@example.com", "b@example.com"], summary: [] },
    };
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual(body);
    api.requests.length = 0;
    const six = Array.from({ length: 6 }, (_, at) => `a${at}@example.com`).join(",");
    for (const [field, typed] of [
      ["notice_email", "a@example.com b@example.com"],
      ["approvals", "nobody"],
      ["summary", six],
    ] as const) {
      const response = await visitor.send(SETTINGS, "notices", { ...sent, [field]: typed });
      expect([response.status, response.body.includes(`data-testid="error-${field}"`)]).toEqual([422, true]);
      expect(response.body).toContain(typed);
    }
    expect(api.changes()).toEqual([]);
  });
});

describe("monthly report", () => {
  const CARD = `id="monthly-report"`;

  it("is shown to members who may view reports, and not to administrators", async () => {
    const shown: string[] = [];
    for (const role of ["owner", "developer", "finance", "viewer", "administrator"]) {
      merchant(role);
      if ((await visit().get(SETTINGS)).body.includes(CARD)) shown.push(role);
    }
    expect(shown).toEqual(["owner", "finance"]);
  });

  it("can be turned on and off by a member, and shows the time zone that would be used", async () => {
    merchant("finance");
    const visitor = visit();
    expect((await visitor.get(SETTINGS)).body).toContain("your time zone, UTC");
    const on = await visitor.send(SETTINGS, "monthly-report", { enabled: "true" });
    expect(on.to).toBe(`${SETTINGS}#monthly-report`);
    await visitor.send(SETTINGS, "monthly-report", { enabled: "false" });
    expect(api.changes().map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [`/merchants/${MERCHANT}/monthly-report`, { enabled: true }],
      [`/merchants/${MERCHANT}/monthly-report`, { enabled: false }],
    ]);
  });

  it("shows its time zone and next month, and offers the user's current time zone if that differs", async () => {
    merchant("finance", { time_zone: "America/New_York", month: "2026-11" });
    const { body } = await visit().get(SETTINGS);
    for (const text of ["November 2026", "America/New York", "Turn off", "Use UTC", "turn of the month"])
      expect(body).toContain(text);
    merchant("finance", { time_zone: "UTC", month: "2026-11" });
    expect((await visit().get(SETTINGS)).body).not.toContain("Use UTC");
  });
});

describe("embed origins", () => {
  it("are entered one per line, and rejected with an error next to their field if any is invalid or there are too many", async () => {
    merchant();
    const visitor = visit();
    expect((await visitor.get(SETTINGS)).body).toContain(">http://localhost:4003</textarea>");
    const typed = "https://shop.example\nhttp://localhost:4003";
    expect((await visitor.send(SETTINGS, "origins", { origins: typed })).to).toBe(`${SETTINGS}#embed`);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({ origins: typed.split("\n") });
    api.requests.length = 0;
    const tooMany = Array.from({ length: 21 }, (_, at) => `https://shop${at}.example`).join("\n");
    for (const wrong of ["shop.example", "https://*.example", tooMany]) {
      const { status, body } = await visitor.send(SETTINGS, "origins", { origins: wrong });
      expect([status, body.includes('data-testid="error-origins"'), body.includes(wrong)]).toEqual([
        422,
        true,
        true,
      ]);
    }
    expect(api.changes()).toEqual([]);
  });
});

describe("merchant logo", () => {
  it("is uploaded by a form without scripts", async () => {
    merchant();
    expect((await upload(visit(), "logo", PNG)).status).toBe(303);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({ logo: PNG.toString("base64") });
  });

  it("is rejected when missing, too large or not an image", async () => {
    merchant();
    for (const [file, text] of [
      [Buffer.alloc(0), "This field is required"],
      [Buffer.alloc(128 * 1024 + 1), "larger than 128 KiB"],
    ] as const) {
      const { status, body } = await upload(visit(), "logo", file);
      expect(status).toBe(422);
      expect(body).toContain(text);
    }
    expect(api.changes()).toEqual([]);
    api.responses[`POST ${BRANDING}`] = rejection(422, "invalid_value");
    expect((await upload(visit(), "logo", PNG)).body).toContain("Use a PNG, JPEG or WebP image");
  });

  it("is rejected if sent from another site or to a page that accepts no files", async () => {
    merchant();
    expect((await upload(visit(), "logo", PNG, "https://evil.example")).status).toBe(403);
    const form = new FormData();
    form.set("action", "sign-in");
    const { status } = await fetch(`${started.origin}/sign-in`, {
      method: "POST",
      headers: { Origin: started.origin },
      body: form,
    });
    expect(status).toBe(415);
    expect(api.changes()).toEqual([]);
  });

  it("is served from the console's origin", async () => {
    merchant();
    const { status, headers } = await visit().get(`/api/logos/${MERCHANT}`);
    expect([status, headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(headers.get("cache-control")).toBe("no-store");
    api.responses[`GET ${BRANDING}`] = rejection(404, "merchant_not_found");
    expect((await visit().get(`/api/logos/${MERCHANT}`)).status).toBe(404);
  });
});
