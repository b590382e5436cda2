import { describe, expect, it } from "vitest";
import { KEY, sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const HOME = `/m/${MERCHANT}/sandbox`;

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin);

describe("a page visited while signed out", () => {
  it("redirects to sign-in, which returns to the page", async () => {
    const { status, to } = await visit().get(`${HOME}/orders?status=PAID`);
    expect([status, to]).toEqual([303, `/sign-in?next=${encodeURIComponent(`${HOME}/orders?status=PAID`)}`]);
    api.responses["POST /sign-in"] = success({
      session: "new-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    const visitor = visit();
    const response = await visitor.send(to ?? "", "sign-in", { email: "a@example.com", password: "x" });
    expect([response.status, response.to]).toEqual([303, `${HOME}/orders?status=PAID`]);
    expect(visitor.cookies.get("tillgate_console")).toBe("new-token");
    expect(response.headers.getSetCookie().find((line) => line.startsWith("tillgate_console="))).toMatch(
      /HttpOnly; SameSite=Lax/,
    );
  });

  it("is replaced by the home page after sign-in if its URL is on another site", async () => {
    api.responses["POST /sign-in"] = success({
      session: "new-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    const path = `/sign-in?next=${encodeURIComponent("//evil.example/")}`;
    const { to } = await visit().send(path, "sign-in", { email: "a@example.com", password: "x" });
    expect(to).toBe("/");
  });

  it("redirects to sign-in when the session has expired, and clears the session cookie", async () => {
    api.responses["GET /me"] = rejection(401, "not_signed_in");
    const visitor = visit().signedIn();
    const { to } = await visitor.get("/account");
    expect(to).toBe(`/sign-in?next=${encodeURIComponent("/account")}`);
    expect(visitor.cookies.has("tillgate_console")).toBe(false);
  });
});

describe("sandbox sign-up", () => {
  const CONNECT = "/connect?platform=woocommerce&shop_name=Kiln";
  const signedUp = (next: string | null) =>
    success({
      session: "owner-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
      next,
    });

  it("continues to the page the user came from", async () => {
    api.responses["GET /sign-up"] = success({ open: true });
    const query = `?next=${encodeURIComponent(CONNECT)}`;
    expect((await visit().get(`/sign-in${query}`)).body).toContain(`href="/sign-up${query}"`);
    const visitor = visit();
    api.responses["POST /sign-up"] = success({ token: null });
    const mailed = await visitor.send(`/sign-up${query}`, "ask", { email: "a@example.com" });
    expect([mailed.status, mailed.to]).toEqual([303, `/sign-in${query}`]);
    expect(JSON.parse(api.changes()[0]?.body ?? "")).toEqual({ email: "a@example.com", next: CONNECT });
    expect((await visitor.get(mailed.to ?? "")).body).toContain("Check your e-mail for a link");
    api.responses["POST /sign-up"] = success({ token: "tgl_x" });
    const shown = await visitor.send(`/sign-up${query}`, "ask", { email: "a@example.com" });
    expect(shown.to).toBe("/new-account?token=tgl_x");
    api.responses["POST /sign-up/link"] = success({ email: "a@example.com", has_user: false, next: CONNECT });
    api.responses["POST /sign-up/confirm"] = signedUp(CONNECT);
    const fields = { shop_name: "Kiln", password: "a password that is new" };
    const done = await visitor.send(shown.to ?? "", "make", fields);
    expect([done.status, done.to]).toEqual([303, CONNECT]);
    expect(visitor.cookies.get("tillgate_console")).toBe("owner-token");
    expect(JSON.parse(api.changes().at(-1)?.body ?? "")).toEqual({ token: "tgl_x", ...fields });
  });

  it("ignores a next URL on another site", async () => {
    api.responses["POST /sign-up/link"] = success({ email: "a@example.com", has_user: false, next: null });
    api.responses["POST /sign-up/confirm"] = signedUp("//evil.example/");
    const fields = { shop_name: "Kiln", password: "a password that is new" };
    const { to } = await visit().send("/new-account?token=x", "make", fields);
    expect(to).toBe("/");
  });

  it("links to sign-in if there is already an account, and does not redisplay a rejected password", async () => {
    const link = { email: "a@example.com", has_user: true, next: CONNECT };
    api.responses["POST /sign-up/link"] = success(link);
    const taken = await visit().get("/new-account?token=x");
    expect(taken.body).toContain(`href="/sign-in?next=${encodeURIComponent(CONNECT)}"`);
    expect(taken.headers.get("referrer-policy")).toBe("strict-origin");
    api.responses["POST /sign-up/link"] = success({ ...link, has_user: false });
    api.responses["POST /sign-up/confirm"] = rejection(422, "invalid_fields", {
      password: ["The password field must have at least 12 characters"],
    });
    const fields = { shop_name: "Kiln", password: "secret-word" };
    const { status, body } = await visit().send("/new-account?token=x", "make", fields);
    expect(status).toBe(422);
    expect(body).toContain("at least 12 characters");
    expect(body).not.toContain("secret-word");
  });

  it("is not offered while it is closed", async () => {
    expect((await visit().get("/sign-in")).body).not.toContain("/sign-up");
    expect((await visit().get("/sign-up")).status).toBe(404);
  });
});

describe("a form", () => {
  it("is rejected if it is sent from another site", async () => {
    const visitor = visit();
    await visitor.get("/sign-in");
    const { status } = await visitor.post(
      "/sign-in",
      { action: "sign-in" },
      { Origin: "https://evil.example" },
    );
    expect(status).toBe(403);
    expect(api.changes()).toEqual([]);
  });

  it("is rejected as too large above 64 KiB if it accepts no files", async () => {
    const { status, body } = await visit().send("/sign-in", "sign-in", { email: "x".repeat(64 * 1024) });
    expect(status).toBe(413);
    expect(body).toContain("This form is too large");
    expect(api.changes()).toEqual([]);
  });

  it("is rejected and redisplayed if its CSRF token is missing or belongs to another visitor", async () => {
    const other = visit();
    const { body: theirs } = await other.get("/sign-in");
    const foreign = /name="form_token" value="([^"]+)"/.exec(theirs)?.[1] ?? "";
    for (const form_token of ["", foreign]) {
      const visitor = visit();
      await visitor.get("/sign-in");
      const fields = { form_token, action: "sign-in", email: "a@example.com", password: "secret-word" };
      const { status, body } = await visitor.post("/sign-in", fields);
      expect(status).toBe(403);
      expect(body).toContain("Please submit the form again");
      expect(body).toContain("a@example.com");
    }
    expect(api.changes()).toEqual([]);
  });

  it("keeps the input except passwords when it is rejected, and shows the errors as an alert", async () => {
    api.responses["POST /sign-in"] = rejection(401, "wrong_email_or_password");
    const { status, body } = await visit().send("/sign-in", "sign-in", {
      email: "a@example.com",
      password: "secret-word",
    });
    expect(status).toBe(401);
    expect(body).toMatch(/role="alert"[^>]*>.*Incorrect e-mail or password/s);
    expect(body).toContain('value="a@example.com"');
    expect(body).not.toContain("secret-word");
    expect(started.written()).not.toContain("secret-word");
  });

  it("is rejected with 400 if its action is unknown", async () => {
    const { status } = await visit().send("/sign-in", "constructor", {});
    expect(status).toBe(400);
    expect(api.changes()).toEqual([]);
  });

  it("verifies the second factor in the same request when it creates an API key", async () => {
    api.responses["GET /me"] = me();
    api.responses["POST /second-factor/totp"] = success({
      session: "fresh-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    api.responses[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials: [] });
    api.responses[`POST /merchants/${MERCHANT}/sandbox/credentials`] = success({
      credential_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e13",
      kind: "client",
      client_id: "tg_test_1",
      secret: "tgs_test_shown_once",
      old_secret_expires_at: null,
    });
    const visitor = visit().signedIn();
    const created = await visitor.send(`${HOME}/developers`, "make", {
      kind: "client",
      may: "all",
      second_factor: "123 456",
    });
    expect([created.status, created.to]).toEqual([303, `${HOME}/developers`]);
    const last = api.changes().at(-1);
    expect(last?.headers["x-tillgate-console-session"]).toBe("fresh-token");
    expect(last?.headers["x-tillgate-internal-key"]).toBe(KEY);
    expect((await visitor.get(`${HOME}/developers`)).body).toContain("tgs_test_shown_once");
    expect((await visitor.get(`${HOME}/developers`)).body).not.toContain("tgs_test_shown_once");
    expect(started.written()).not.toContain("tgs_test_shown_once");
  });
});

describe("a console page", () => {
  it("is uncached, not frameable and free of framework scripts", async () => {
    const { headers, body } = await visit().get("/sign-in");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(body).not.toContain("__NEXT_DATA__");
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  it("sends only its origin as referrer if its URL contains a token", async () => {
    const { headers } = await visit().get("/reset-password?token=abc");
    expect(headers.get("referrer-policy")).toBe("strict-origin");
  });

  it("is a 404 page for an unknown object or mode", async () => {
    api.responses["GET /me"] = me();
    const base = `/merchants/${MERCHANT}/sandbox/orders/nope`;
    api.responses[`GET ${base}`] = rejection(404, "order_not_found");
    const { status, body } = await visit().signedIn().get(`${HOME}/orders/nope`);
    expect(status).toBe(404);
    expect(body).toContain("Page not found");
    expect((await visit().signedIn().get(`/m/${MERCHANT}/play`)).status).toBe(404);
  });

  it("explains what to do while the API is unreachable", async () => {
    api.responses["GET /me"] = [503, {}];
    const { status, headers, body } = await visit().signedIn().get("/account");
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("5");
    expect(body).toContain("Reload page");
  });

  it("is in French if the browser prefers French or the user chose it", async () => {
    const visitor = visit();
    const french = await visitor.get("/sign-in", { "accept-language": "fr" });
    expect(french.body).toMatch(/<html lang="fr".*Se connecter/s);
    const chosen = await visitor.send("/language?next=%2Fsign-in", "choose", { language: "fr" });
    expect([chosen.status, chosen.to]).toEqual([303, "/sign-in"]);
    expect((await visitor.get("/sign-in")).body).toContain("Se connecter");
  });

  it("shows a viewer fewer sections and forms than an owner, and names the mode in the title", async () => {
    api.responses[`GET /merchants/${MERCHANT}/live/receivers`] = success({ receivers: [] });
    for (const [role, sees] of [
      ["owner", true],
      ["viewer", false],
    ] as const) {
      api.responses["GET /me"] = me(role);
      const { body } = await visit().signedIn().get(`/m/${MERCHANT}/live/webhooks`);
      expect(body).toMatch(/<title[^>]*>LIVE · Webhooks · Tillgate<\/title>/);
      expect(body.includes('data-action="add"')).toBe(sees);
      expect(body.includes("/developers")).toBe(sees);
    }
  });
});
