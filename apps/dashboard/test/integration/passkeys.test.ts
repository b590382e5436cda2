import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { sharedConsole, Visitor } from "./support/console.js";
import { MERCHANT, me, rejection, success } from "./support/fake-api.js";

const HOME = `/m/${MERCHANT}/sandbox`;

const started = await sharedConsole();
const { api } = started;
const visit = () => new Visitor(started.origin);

const PASSKEY = {
  passkey_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e21",
  name: "Work laptop",
  created_at: "2026-01-01T00:00:00+00:00",
  last_used_at: null,
};
const only = { totp: false, passkeys: [PASSKEY] };
const token = success({
  session: "fresh-token",
  state: "signed_in",
  expires_at: "2030-01-01T00:00:00+00:00",
});
const created = success({
  credential_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e13",
  kind: "client",
  client_id: "tg_test_1",
  secret: "tgs_test_shown_once",
  old_secret_expires_at: null,
});

const sizeOf = (name: string): number => {
  const file = new URL(`../../dist/assets/${name}.js`, import.meta.url);
  return gzipSync(readFileSync(fileURLToPath(file))).length;
};

describe("console and passkey scripts", () => {
  it("are smaller than 10 KB in total, gzipped", () => {
    expect(sizeOf("console") + sizeOf("passkey")).toBeLessThan(10_000);
  });
});

describe("a form that changes secrets for a user with a passkey", () => {
  const developers = () => {
    api.responses["GET /me"] = me("owner", false, only);
    api.responses[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials: [] });
    api.responses[`POST /merchants/${MERCHANT}/sandbox/credentials`] = created;
    api.responses["POST /second-factor/passkey"] = token;
    api.responses["POST /second-factor/recovery-code"] = token;
  };

  it("loads the passkey script and offers a recovery code without scripts", async () => {
    developers();
    const { body } = await visit().signedIn().get(`${HOME}/developers`);
    expect(body.match(/<script[^>]+passkey\.js/g)).toHaveLength(1);
    expect(body).toContain('data-passkey="get"');
    expect(body).toContain("Passkeys need JavaScript");
    expect(body).toContain("Recovery code");
    api.responses["GET /me"] = me("owner", true, only);
    const fresh = await visit().signedIn().get(`${HOME}/developers`);
    expect(fresh.body).not.toContain("passkey");
  });

  it("verifies the passkey signature at the API in the same request", async () => {
    developers();
    const signed = JSON.stringify({ id: "abc", response: {} });
    const visitor = visit().signedIn();
    const fields = { kind: "client", may: "all", second_factor: "", second_factor_passkey: signed };
    const response = await visitor.send(`${HOME}/developers`, "make", fields);
    expect([response.status, response.to]).toEqual([303, `${HOME}/developers`]);
    const [shown, change] = api.changes();
    expect([shown?.path, JSON.parse(shown?.body ?? "")]).toEqual([
      "/second-factor/passkey",
      { credential: { id: "abc", response: {} } },
    ]);
    expect(change?.headers["x-tillgate-console-session"]).toBe("fresh-token");
    expect(visitor.cookies.get("tillgate_console")).toBe("fresh-token");
  });

  it("accepts a recovery code, and rejects a signature that is malformed or that the API rejects", async () => {
    developers();
    const visitor = visit().signedIn();
    const page = `${HOME}/developers`;
    const fields = { kind: "client", may: "all", second_factor: "abcde-fghij", second_factor_passkey: "" };
    expect((await visitor.send(page, "make", fields)).status).toBe(303);
    expect(api.changes()[0]?.path).toBe("/second-factor/recovery-code");

    api.requests.length = 0;
    const broken = { kind: "client", may: "all", second_factor: "", second_factor_passkey: "{" };
    const response = await visitor.send(page, "make", broken);
    expect(response.status).toBe(422);
    expect(response.body).toContain("We couldn’t verify your passkey");
    expect(api.changes()).toEqual([]);

    api.responses["POST /second-factor/passkey"] = rejection(401, "passkey_refused");
    const rejected = await visitor.send(page, "make", { ...broken, second_factor_passkey: "{}" });
    expect(rejected.status).toBe(401);
    expect(api.changes().map(({ path }) => path)).toEqual(["/second-factor/passkey"]);
  });
});

describe("passkey challenge", () => {
  const request = async (visitor: Visitor, form_token: string, headers: Record<string, string> = {}) =>
    visitor.post("/api/passkey", { form_token }, headers);

  it("is returned only to a form of the console", async () => {
    api.responses["GET /second-factor"] = success({ totp: false, passkeys: true });
    api.responses["POST /second-factor/passkey/start"] = success({ options: { challenge: "c" } });
    const visitor = visit().signedIn();
    const { body } = await visitor.get("/second-factor");
    const ours = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    expect((await request(visitor, "")).status).toBe(403);
    expect((await request(visitor, ours, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await request(visit().signedIn(), ours)).status).toBe(403);
    expect((await visitor.get("/api/passkey")).status).toBe(405);
    expect(api.changes()).toEqual([]);
    const response = await request(visitor, ours);
    expect([response.status, JSON.parse(response.body)]).toEqual([200, { challenge: "c" }]);
    expect(response.headers.get("cache-control")).toBe("no-store");
    api.responses["POST /second-factor/passkey/start"] = rejection(409, "second_factor_not_set_up");
    expect((await request(visitor, ours)).status).toBe(409);
  });
});

describe("second step of sign-in", () => {
  it("offers the factors that the user has set up", async () => {
    for (const [factors, passkey, field] of [
      [{ totp: true, passkeys: false }, false, "6-digit code"],
      [{ totp: false, passkeys: true }, true, "Recovery code"],
      [{ totp: true, passkeys: true }, true, "6-digit code"],
    ] as const) {
      api.responses["GET /second-factor"] = success(factors);
      const { body } = await visit().signedIn().get("/second-factor");
      expect(body.includes('data-testid="use-passkey"')).toBe(passkey);
      expect(body).toContain(field);
    }
  });

  it("continues to the requested page after a passkey, but only within the console", async () => {
    api.responses["GET /second-factor"] = success({ totp: false, passkeys: true });
    api.responses["POST /second-factor/passkey"] = token;
    const signed = { second_factor_passkey: "{}" };
    const good = await visit().signedIn().send("/second-factor?next=%2Faccount", "passkey", signed);
    expect([good.status, good.to]).toEqual([303, "/account"]);
    const evil = await visit().signedIn().send("/second-factor?next=//evil.example", "passkey", signed);
    expect(evil.to).toBe("/");
    const none = await visit().signedIn().send("/second-factor", "passkey", {
      second_factor_passkey: "",
    });
    expect(none.status).toBe(422);
  });
});

describe("adding a passkey", () => {
  it("starts with the password, requires the browser's credential, and shows the recovery codes that the API returns", async () => {
    api.responses["GET /me"] = me("owner", false, { totp: false, passkeys: [] });
    api.responses["POST /second-factor/passkeys/start"] = success({ options: { challenge: "c", rp: {} } });
    api.responses["POST /second-factor/passkeys/confirm"] = success({
      session: "raised-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
      recovery_codes: ["aaaaa-bbbbb"],
    });
    api.responses["GET /sessions"] = success({ sessions: [] });
    const visitor = visit().signedIn();
    const started = await visitor.send("/account/passkeys", "start", {
      name: "Phone",
      password: "secret-word",
    });
    expect([started.status, started.to]).toEqual([303, "/account/passkeys"]);
    const { body } = await visitor.get("/account/passkeys");
    expect(body).toContain("{&quot;challenge&quot;:&quot;c&quot;,&quot;rp&quot;:{}}");
    const sealed = /name="sealed" value="([^"]+)"/.exec(body)?.[1] ?? "";
    const form_token = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    const confirm = { form_token, action: "confirm", sealed };

    const without = await visitor.post("/account/passkeys", { ...confirm, credential: "" });
    expect(without.status).toBe(422);
    expect(without.body).toContain("Passkeys need JavaScript");
    const done = await visitor.post("/account/passkeys", { ...confirm, credential: '{"id":"x"}' });
    expect([done.status, done.to]).toEqual([303, "/account"]);
    expect(JSON.parse(api.changes().at(-1)?.body ?? "")).toEqual({ name: "Phone", credential: { id: "x" } });
    expect(visitor.cookies.get("tillgate_console")).toBe("raised-token");
    const account = await visitor.get("/account");
    expect(account.body).toContain("aaaaa-bbbbb");
    expect(account.body).not.toContain('data-testid="go-on"');
  });
});

describe("setting up a second factor for an action that requires it", () => {
  const next = "/connect?platform=woocommerce&state=abc";
  const kept = `?next=${encodeURIComponent(next)}`;

  it("ends with a link back to the action", async () => {
    api.responses["GET /me"] = me("owner", false, { totp: false });
    api.responses["GET /sessions"] = success({ sessions: [] });
    api.responses[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials: [] });
    const secret = "JBSWY3DPEHPK3PXP";
    api.responses["POST /second-factor/totp/start"] = success({
      secret,
      otpauth_uri: `otpauth://totp/x?secret=${secret}`,
    });
    api.responses["POST /second-factor/totp/confirm"] = success({
      session: "raised-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
      recovery_codes: ["aaaaa-bbbbb"],
    });
    const visitor = visit().signedIn();
    const developers = `/m/${MERCHANT}/sandbox/developers`;
    const leads = `/account?next=${encodeURIComponent(developers)}#second-factor`;
    expect((await visitor.get(developers)).body).toContain(`href="${leads}"`);
    const before = await visitor.get(`/account${kept}`);
    expect(before.body).toContain(`href="/account/authenticator${kept}"`);
    expect(before.body).toContain(`href="/account/passkeys${kept}"`);
    expect(before.body).not.toContain('data-testid="go-on"');
    const started = await visitor.send(`/account/authenticator${kept}`, "start", { password: "secret-word" });
    expect([started.status, started.to]).toEqual([303, `/account/authenticator${kept}`]);
    const done = await visitor.send(`/account/authenticator${kept}`, "confirm", { code: "123456" });
    expect([done.status, done.to]).toEqual([303, `/account${kept}`]);
    api.responses["GET /me"] = me("owner", true, { totp: true, passkeys: [] });
    expect((await visitor.get(`/account${kept}`)).body).toContain(`href="${next.replace("&", "&amp;")}"`);
  });

  it("reports after the first second factor only that the user's other sessions were signed out", async () => {
    const secret = "JBSWY3DPEHPK3PXP";
    const otpauth_uri = `otpauth://totp/x?secret=${secret}`;
    api.responses["GET /me"] = me("owner", true, { totp: false });
    api.responses["GET /sessions"] = success({ sessions: [] });
    api.responses["POST /second-factor/totp/start"] = success({ secret, otpauth_uri });
    const turnOn = async (recovery_codes: string[]) => {
      api.responses["POST /second-factor/totp/confirm"] = success({
        session: "raised-token",
        state: "signed_in",
        expires_at: "2030-01-01T00:00:00+00:00",
        recovery_codes,
      });
      const visitor = visit().signedIn();
      await visitor.send("/account/authenticator", "start", { password: "secret-word" });
      await visitor.send("/account/authenticator", "confirm", { code: "123456" });
      return (await visitor.get("/account")).body;
    };
    expect(await turnOn(["aaaaa-bbbbb"])).toContain("Your other sessions have been signed out.");
    const second = await turnOn([]);
    expect(second).toContain("Authenticator app turned on.");
    expect(second).not.toContain("Your other sessions have been signed out.");
  });

  it.each(["//evil.example/x", "https://evil.example/x", "/\\evil.example"])(
    "does not link to a URL on another site: %s",
    async (evil) => {
      api.responses["GET /me"] = me("owner", true, { totp: true, passkeys: [] });
      api.responses["GET /sessions"] = success({ sessions: [] });
      const { body } = await visit()
        .signedIn()
        .get(`/account?next=${encodeURIComponent(evil)}`);
      expect(body).not.toMatch(/href="[^"]*evil\.example/);
      expect(body).not.toContain('data-testid="go-on"');
    },
  );
});
