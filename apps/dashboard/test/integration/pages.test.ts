import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";

const ENTRY = fileURLToPath(new URL("../../.next/standalone/apps/dashboard/server.js", import.meta.url));
const KEY = "console-key-of-these-tests-0123456789";
const MERCHANT = "6e35bc83-3ccd-473e-b9c4-160aa69c66c1";
const HOME = `/m/${MERCHANT}/sandbox`;

type Asked = { method: string; path: string; headers: IncomingMessage["headers"]; body: string };

/** An api that answers what a test says, and remembers what it was asked. */
class FakeApi {
  readonly asked: Asked[] = [];
  answers: Record<string, [status: number, body: object]> = {};
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { method = "", url = "", headers } = request;
      const path = (url.split("?")[0] ?? "").replace("/console/v1", "");
      this.asked.push({ method, path, headers, body });
      const [status, answer] = this.answers[`${method} ${path}`] ?? refusal(404, "unknown_route");
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const server = this.#server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${portOf(server.address())}`;
  }

  /** Reads go on beside each other, and one may arrive after its page was answered. */
  changes(): Asked[] {
    return this.asked.filter(({ method }) => method !== "GET");
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

function portOf(address: ReturnType<Server["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("No port");
  return address.port;
}
const success = (data: object): [number, object] => [200, { message: { success: ["Done"] }, data }];
const refusal = (status: number, code: string, errors?: object): [number, object] => [
  status,
  {
    message: { code: status, error: ["No"] },
    data: [],
    type: "error",
    error_code: code,
    ...(errors && { errors }),
  },
];
const me = (role = "owner", fresh = false) =>
  success({
    user: { user_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e11", email: "owner@example.com", role: "merchant" },
    merchants: [{ merchant_id: MERCHANT, name: "Kiln & Clover", role }],
    session: { session_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e12", expires_at: "2030-01-01T00:00:00+00:00" },
    second_factor: {
      totp: true,
      passkeys: [],
      recovery_codes_left: 9,
      fresh_until: fresh ? "2099-01-01T00:00:00+00:00" : null,
    },
  });

const api = new FakeApi();
let origin = "";
let child: ReturnType<typeof spawn>;
let written = "";

beforeAll(async () => {
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
  const port = portOf(socket.address());
  await new Promise((resolve) => socket.close(resolve));
  origin = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, [ENTRY], {
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      TILLGATE_CONSOLE_URL: origin,
      TILLGATE_API_URL: await api.start(),
      TILLGATE_CONSOLE_KEY: KEY,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (written += String(text)));
  await vi.waitFor(async () => expect((await fetch(`${origin}/healthz`)).status).toBe(200), {
    timeout: 20_000,
  });
});
afterEach(() => {
  api.answers = {};
  api.asked.length = 0;
});
afterAll(async () => {
  child.kill("SIGTERM");
  await new Promise((resolve) => child.once("exit", resolve));
  await api.stop();
});

/** A browser without scripts. */
class Visitor {
  readonly cookies = new Map<string, string>();

  signedIn(): this {
    this.cookies.set("tillgate_console", "session-token");
    return this;
  }

  async get(path: string, headers: Record<string, string> = {}) {
    return this.#keep(
      await fetch(`${origin}${path}`, { headers: { ...this.#own(), ...headers }, redirect: "manual" }),
    );
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const sent = { ...this.#own(), Origin: origin, ...headers };
    const body = new URLSearchParams(fields);
    return this.#keep(
      await fetch(`${origin}${path}`, { method: "POST", headers: sent, body, redirect: "manual" }),
    );
  }

  /** Opens a page and sends one of its forms, as drawn, with what is typed into it. */
  async send(path: string, action: string, typed: Record<string, string>) {
    const { body } = await this.get(path);
    const token = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
    return this.post(path, { form_token: token, action, ...typed });
  }

  #own(): Record<string, string> {
    return { Cookie: [...this.cookies].map((pair) => pair.join("=")).join("; ") };
  }

  async #keep(response: Response) {
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes("Max-Age=0")) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, body: await response.text(), to: headers.get("location") };
  }
}

describe("a page of somebody who is not signed in", () => {
  it("leads to the sign-in, which leads back", async () => {
    const { status, to } = await new Visitor().get(`${HOME}/orders?status=PAID`);
    expect([status, to]).toEqual([303, `/sign-in?next=${encodeURIComponent(`${HOME}/orders?status=PAID`)}`]);
    api.answers["POST /sign-in"] = success({
      session: "new-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    const visitor = new Visitor();
    const answer = await visitor.send(to ?? "", "sign-in", { email: "a@example.com", password: "x" });
    expect([answer.status, answer.to]).toEqual([303, `${HOME}/orders?status=PAID`]);
    expect(visitor.cookies.get("tillgate_console")).toBe("new-token");
    expect(answer.headers.getSetCookie().find((line) => line.startsWith("tillgate_console="))).toMatch(
      /HttpOnly; SameSite=Lax/,
    );
  });

  it("never leads to another site", async () => {
    api.answers["POST /sign-in"] = success({
      session: "new-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    const path = `/sign-in?next=${encodeURIComponent("//evil.example/")}`;
    const { to } = await new Visitor().send(path, "sign-in", { email: "a@example.com", password: "x" });
    expect(to).toBe("/");
  });

  it("is the sign-in again when the session has ended, and forgets its cookie", async () => {
    api.answers["GET /me"] = refusal(401, "not_signed_in");
    const visitor = new Visitor().signedIn();
    const { to } = await visitor.get("/account");
    expect(to).toBe(`/sign-in?next=${encodeURIComponent("/account")}`);
    expect(visitor.cookies.has("tillgate_console")).toBe(false);
  });
});

describe("a form", () => {
  it("from another site does nothing", async () => {
    const visitor = new Visitor();
    await visitor.get("/sign-in");
    const { status } = await visitor.post(
      "/sign-in",
      { action: "sign-in" },
      { Origin: "https://evil.example" },
    );
    expect(status).toBe(403);
    expect(api.changes()).toEqual([]);
  });

  it("without its token, or with another visitor's, is shown again and does nothing", async () => {
    const other = new Visitor();
    const { body: theirs } = await other.get("/sign-in");
    const foreign = /name="form_token" value="([^"]+)"/.exec(theirs)?.[1] ?? "";
    for (const form_token of ["", foreign]) {
      const visitor = new Visitor();
      await visitor.get("/sign-in");
      const fields = { form_token, action: "sign-in", email: "a@example.com", password: "secret-word" };
      const { status, body } = await visitor.post("/sign-in", fields);
      expect(status).toBe(403);
      expect(body).toContain("Please send it again");
      expect(body).toContain("a@example.com");
    }
    expect(api.changes()).toEqual([]);
  });

  it("that is refused keeps what was typed, but no password, and says why at the top", async () => {
    api.answers["POST /sign-in"] = refusal(401, "wrong_email_or_password");
    const { status, body } = await new Visitor().send("/sign-in", "sign-in", {
      email: "a@example.com",
      password: "secret-word",
    });
    expect(status).toBe(401);
    expect(body).toMatch(/role="alert"[^>]*>.*E-mail or password is not right/s);
    expect(body).toContain('value="a@example.com"');
    expect(body).not.toContain("secret-word");
    expect(written).not.toContain("secret-word");
  });

  it("with an action that its page has not does nothing", async () => {
    const { status } = await new Visitor().send("/sign-in", "constructor", {});
    expect(status).toBe(400);
    expect(api.changes()).toEqual([]);
  });

  it("about money shows its second factor first, in the same step", async () => {
    api.answers["GET /me"] = me();
    api.answers["POST /second-factor/totp"] = success({
      session: "fresh-token",
      state: "signed_in",
      expires_at: "2030-01-01T00:00:00+00:00",
    });
    api.answers[`GET /merchants/${MERCHANT}/sandbox/credentials`] = success({ credentials: [] });
    api.answers[`POST /merchants/${MERCHANT}/sandbox/credentials`] = success({
      credential_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e13",
      kind: "client",
      client_id: "tg_test_1",
      secret: "tgs_test_shown_once",
      old_secret_expires_at: null,
    });
    const visitor = new Visitor().signedIn();
    const made = await visitor.send(`${HOME}/developers`, "make", {
      kind: "client",
      second_factor: "123 456",
    });
    expect([made.status, made.to]).toEqual([303, `${HOME}/developers`]);
    const last = api.changes().at(-1);
    expect(last?.headers["x-tillgate-console-session"]).toBe("fresh-token");
    expect(last?.headers["x-tillgate-internal-key"]).toBe(KEY);
    expect((await visitor.get(`${HOME}/developers`)).body).toContain("tgs_test_shown_once");
    expect((await visitor.get(`${HOME}/developers`)).body).not.toContain("tgs_test_shown_once");
    expect(written).not.toContain("tgs_test_shown_once");
  });
});

describe("an answer", () => {
  it("is kept by nobody, framed by nobody, and carries no framework", async () => {
    const { headers, body } = await new Visitor().get("/sign-in");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(body).not.toContain("__NEXT_DATA__");
    expect(body.match(/<script/g)).toHaveLength(1);
  });

  it("of a page with a token in its address tells no other page of it", async () => {
    const { headers } = await new Visitor().get("/reset-password?token=abc");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  });

  it("names what is not there with a designed 404", async () => {
    api.answers["GET /me"] = me();
    const base = `/merchants/${MERCHANT}/sandbox/orders/nope`;
    api.answers[`GET ${base}`] = refusal(404, "order_not_found");
    const { status, body } = await new Visitor().signedIn().get(`${HOME}/orders/nope`);
    expect(status).toBe(404);
    expect(body).toContain("Page not found");
    expect((await new Visitor().signedIn().get(`/m/${MERCHANT}/play`)).status).toBe(404);
  });

  it("says what to do when the api is away", async () => {
    api.answers["GET /me"] = [503, {}];
    const { status, headers, body } = await new Visitor().signedIn().get("/account");
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("5");
    expect(body).toContain("Load the page again");
  });

  it("speaks French to who asks for it, by header or by choice", async () => {
    const visitor = new Visitor();
    const french = await visitor.get("/sign-in", { "accept-language": "fr" });
    expect(french.body).toMatch(/<html lang="fr".*Se connecter/s);
    const chosen = await visitor.send("/language?next=%2Fsign-in", "choose", { language: "fr" });
    expect([chosen.status, chosen.to]).toEqual([303, "/sign-in"]);
    expect((await visitor.get("/sign-in")).body).toContain("Se connecter");
  });

  it("shows each role only what it may do, and names the mode", async () => {
    api.answers[`GET /merchants/${MERCHANT}/live/receivers`] = success({ receivers: [] });
    for (const [role, sees] of [
      ["owner", true],
      ["viewer", false],
    ] as const) {
      api.answers["GET /me"] = me(role);
      const { body } = await new Visitor().signedIn().get(`/m/${MERCHANT}/live/webhooks`);
      expect(body).toMatch(/<title[^>]*>LIVE · Webhooks · Tillgate<\/title>/);
      expect(body.includes('data-action="add"')).toBe(sees);
      expect(body.includes("/developers")).toBe(sees);
    }
  });
});
