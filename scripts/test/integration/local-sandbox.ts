import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type ApiProcess, INTERNAL_KEY } from "../../../apps/api/test/support/api-process.js";
import { openSandbox, type Sandbox } from "../../../apps/api/test/support/sandbox.js";
import { waitUntil } from "../../../apps/api/test/support/wait-until.js";

/** A running sandbox as the scripts see it: its files in a folder, and its API behind a proxy that can be disconnected. */
export type LocalSandbox = {
  sandbox: Sandbox;
  api: ApiProcess;
  /** The API's URL in sandbox.json. */
  address: string;
  /** Closes all connections to the API and rejects new ones until {@link reconnect}. */
  disconnect(): Promise<void>;
  reconnect(): Promise<void>;
  /** Starts one of the scripts. */
  start(script: string, args: string[], environment?: Record<string, string>): Script;
  close(): Promise<void>;
};

export type Script = {
  out(): string;
  error(): string;
  /** Waits until the output contains the text. */
  waitForOutput(text: string | RegExp, limitMs?: number): Promise<void>;
  /** Sends SIGINT, like Ctrl-C. @returns the script's exit code. */
  interrupt(): Promise<number | null>;
  /** Waits until the script exits. @returns its exit code. */
  exited(): Promise<number | null>;
};

const ROOT = path.resolve(import.meta.dirname, "../../..");

export async function openLocalSandbox(): Promise<LocalSandbox> {
  const sandbox = await openSandbox();
  const api = await sandbox.startApi({ environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" } });
  const folder = await mkdtemp(path.join(tmpdir(), "tillproxy-sandbox-"));
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((socket) => {
    const upstream = net.connect(api.port, "127.0.0.1");
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => sockets.delete(one));
    }
    socket.pipe(upstream).pipe(socket);
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      proxy.once("error", reject);
      proxy.listen(port, "127.0.0.1", resolve);
    });
  await listen(0);
  const bound = proxy.address();
  if (bound === null || typeof bound === "string") throw new Error("The proxy has no port.");
  const { port } = bound;
  const address = `http://127.0.0.1:${port}`;
  const keys = [...sandbox.keyring.keys].map(([id, key]) => `${id}:${key.toString("base64")}`).join(",");
  const write = (name: string, content: object) =>
    writeFile(path.join(folder, name), JSON.stringify(content));
  await write("sandbox.json", { api: address, database_url: sandbox.url, ...sandbox.access });
  await write("secrets.json", { internal_key: INTERNAL_KEY, encryption_keys: keys });
  await write("api-settings.json", { DATABASE_URL: sandbox.url, TILLGATE_ENCRYPTION_KEYS: keys });

  const disconnect = async (): Promise<void> => {
    const closed = proxy.listening ? once(proxy, "close") : undefined;
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const running = new Set<ChildProcess>();
  return {
    sandbox,
    api,
    address,
    disconnect,
    reconnect: () => listen(port),
    start(script, args, environment = {}) {
      const child = spawn(process.execPath, [path.join(ROOT, "scripts", script), ...args], {
        env: { PATH: process.env.PATH, TILLGATE_DATA_DIR: folder, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      let out = "";
      let error = "";
      child.stdout.on("data", (chunk) => {
        out += chunk;
      });
      child.stderr.on("data", (chunk) => {
        error += chunk;
      });
      const closed = once(child, "close").then(() => {
        running.delete(child);
        return child.exitCode;
      });
      return {
        out: () => out,
        error: () => error,
        async waitForOutput(text, limitMs) {
          const found = () =>
            typeof text === "string" ? (out + error).includes(text) : text.test(out + error);
          await waitUntil(`the output contains ${text}; it is: ${out}${error}`, found, limitMs);
        },
        interrupt() {
          child.kill("SIGINT");
          return closed;
        },
        exited: () => closed,
      };
    },
    async close() {
      for (const child of running) child.kill("SIGKILL");
      await disconnect();
      await rm(folder, { recursive: true });
      await sandbox.close();
    },
  };
}
