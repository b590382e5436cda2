import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { freePort } from "../../../scripts/testing/free-port.js";
import { FakeApi, INTERNAL_KEY } from "./fake-api";

/** Makes the page exit with the test worker. */
const exitWithParent = fileURLToPath(new URL("../../../stack/dist/exit-with-parent.js", import.meta.url));
const entry = fileURLToPath(new URL("../.next/standalone/apps/pay/server.js", import.meta.url));
const START_MS = 20_000;

/** Next's build ID, part of the addresses of its data routes. */
export const buildId = (): string => readFileSync(join(dirname(entry), ".next", "BUILD_ID"), "utf8").trim();

export type Reply = {
  status: number;
  headers: Headers;
  body: string;
};

export type RunningProcess = {
  child: ChildProcess;
  /** The output of the process so far. */
  output(): string;
  /** Resolves to the exit code. */
  ended: Promise<number | null>;
};

/** Starts the built page with only these settings in its environment. */
export function runPage(settings: Record<string, string>): RunningProcess {
  if (!existsSync(entry))
    throw new Error("The page is not built: run `npm run build -w @tillgate/pay` first");
  const child = spawn(process.execPath, ["--import", exitWithParent, entry], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { PATH: process.env.PATH ?? "", NODE_ENV: "production", ...settings },
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (written += String(text)));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, output: () => written, ended };
}

/** The built page in front of a fake API, with a browser client. */
export class PageServer {
  private constructor(
    readonly origin: string,
    readonly api: FakeApi,
    readonly process: RunningProcess,
    private readonly publicOrigin: string,
  ) {}

  static #shared: Promise<PageServer> | undefined;

  /** Returns the page that the test files of a worker share. Call this at the top of a file; the fake API is reset after the file's tests. */
  static async shared(): Promise<PageServer> {
    PageServer.#shared ??= PageServer.start();
    const { api } = await PageServer.#shared;
    afterAll(() => api.reset());
    return PageServer.#shared;
  }

  static async start(settings: Record<string, string> = {}): Promise<PageServer> {
    const api = new FakeApi();
    const apiOrigin = await api.start();
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const running = runPage({
      PORT: String(port),
      TILLGATE_PAY_URL: origin,
      TILLGATE_API_URL: apiOrigin,
      TILLGATE_INTERNAL_KEY: INTERNAL_KEY,
      TILLGATE_API_TIMEOUT_MS: "1500",
      ...settings,
    });
    const server = new PageServer(origin, api, running, settings.TILLGATE_PAY_URL ?? origin);
    await server.#healthy();
    return server;
  }

  async stop(): Promise<void> {
    this.process.child.kill("SIGTERM");
    await this.process.ended;
    await this.api.stop();
  }

  async #healthy(): Promise<void> {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const healthy = await fetch(`${this.origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (healthy) return;
      if (Date.now() > deadline || this.process.child.exitCode !== null) {
        throw new Error(`The page did not start:\n${this.process.output()}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Sends a request without following redirects. */
  async request(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(`${this.origin}${path}`, { ...init, redirect: "manual" });
    return { status: response.status, headers: response.headers, body: await response.text() };
  }

  /** Creates a browser with these cookies. */
  visitor(cookies: Record<string, string> = {}): Visitor {
    return new Visitor(this, this.publicOrigin, new Map(Object.entries(cookies)));
  }
}

/** A browser without scripts: stores cookies and submits forms from the page's own origin. */
export class Visitor {
  constructor(
    private readonly server: PageServer,
    private readonly origin: string,
    readonly cookies: Map<string, string>,
  ) {}

  async get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    const sent = { Cookie: this.#cookieHeader(), ...headers };
    return this.#keep(await this.server.request(path, { headers: sent }));
  }

  /** Submits a form. @param headers replace the browser's headers; null removes a header */
  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string | null> = {},
  ): Promise<Reply> {
    const sent = new Headers({ Cookie: this.#cookieHeader(), Origin: this.origin });
    sent.set("Content-Type", "application/x-www-form-urlencoded");
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    const body = new URLSearchParams(fields).toString();
    return this.#keep(await this.server.request(path, { method: "POST", headers: sent, body }));
  }

  /** Opens the page and submits one of its forms with the typed values. */
  async step(token: string, step: string, typed: Record<string, string> = {}): Promise<Reply> {
    const { body } = await this.get(`/pay/${token}`);
    return this.post(`/pay/${token}/${step}`, { form_token: formTokenOf(body), ...typed });
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(reply: Reply): Reply {
    for (const line of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return reply;
  }
}

/** Returns the form token in a page. @throws if the page has no form */
export function formTokenOf(html: string): string {
  const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1];
  if (token === undefined) throw new Error("The page has no form token");
  return token;
}

/** The visible text of a page: without tags and `<noscript>`. */
export const textOf = (html: string): string =>
  html
    .replace(/^[\s\S]*<body>/, "")
    .replace(/<noscript>[\s\S]*?<\/noscript>/g, " ")
    .replace(/<!--.*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

/** The text of the element with a test ID, or null. */
export function textById(html: string, id: string): string | null {
  const result = new RegExp(`<(\\w+)[^>]*data-testid="${id}"[^>]*>([\\s\\S]*?)</\\1>`).exec(html);
  return result === null ? null : textOf(`<body>${result[2]}`);
}

/** Returns the code of the page's notice; undefined without a notice. */
export const noticeOf = (html: string): string | undefined => /data-notice="(\w+)"/.exec(html)?.[1];
