import { spawn } from "node:child_process";
import { createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, expect, vi } from "vitest";
import { FakeApi, portOf } from "./fake-api.js";

const ENTRY = fileURLToPath(new URL("../../../.next/standalone/apps/dashboard/server.js", import.meta.url));
/** Makes the console exit with the test worker. */
const EXIT_WITH_PARENT = fileURLToPath(
  new URL("../../../../../stack/dist/exit-with-parent.js", import.meta.url),
);
export const KEY = "console-key-of-these-tests-0123456789";

/** The built console in front of a fake API. */
export type Console = { origin: string; api: FakeApi; written(): string };

let shared: Promise<Console> | undefined;

/** Returns the console that the test files of a worker share. Call this at the top of a file; the fake API is reset after each test. */
export async function sharedConsole(): Promise<Console> {
  shared ??= startConsole();
  const { api } = await shared;
  afterEach(() => api.reset());
  return shared;
}

async function startConsole(): Promise<Console> {
  const api = new FakeApi();
  // Started first, because it could otherwise take the console's port.
  const apiUrl = await api.start();
  const socket = createSocket();
  await new Promise<void>((resolve) => socket.listen(0, "127.0.0.1", resolve));
  const port = portOf(socket.address());
  await new Promise((resolve) => socket.close(resolve));
  const origin = `http://127.0.0.1:${port}`;
  let written = "";
  const child = spawn(process.execPath, ["--import", EXIT_WITH_PARENT, ENTRY], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      PATH: process.env.PATH ?? "",
      NODE_ENV: "production",
      PORT: String(port),
      TILLGATE_CONSOLE_URL: origin,
      TILLGATE_API_URL: apiUrl,
      TILLGATE_CONSOLE_KEY: KEY,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (text) => (written += String(text)));
  await vi.waitFor(async () => expect((await fetch(`${origin}/healthz`)).status).toBe(200), {
    timeout: 20_000,
  });
  return { origin, api, written: () => written };
}

/** A browser without scripts. */
export class Visitor {
  constructor(readonly origin: string) {}

  readonly cookies = new Map<string, string>();

  signedIn(): this {
    this.cookies.set("tillgate_console", "session-token");
    return this;
  }

  async get(path: string, headers: Record<string, string> = {}) {
    return this.#keep(
      await fetch(`${this.origin}${path}`, { headers: { ...this.#own(), ...headers }, redirect: "manual" }),
    );
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const sent = { ...this.#own(), Origin: this.origin, ...headers };
    const body = new URLSearchParams(fields);
    return this.#keep(
      await fetch(`${this.origin}${path}`, { method: "POST", headers: sent, body, redirect: "manual" }),
    );
  }

  /** Opens a page and submits one of its forms with the typed values. */
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
