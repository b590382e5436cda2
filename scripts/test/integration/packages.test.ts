import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";
import { freePort } from "../../testing/free-port.js";
import { createSignedEvent, sendHostileRequests } from "../../testing/webhook-requests.js";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));

const ORDER = {
  order_id: "POS-20261121-7KQ2MX",
  amount: "41.50 EUR",
  raw_amount: 41.5,
  currency: "EUR",
  payment_method: "both",
  reference: "1001",
  description: null,
  terminal_id: null,
  status: "PENDING",
  qr_data: "https://pay.example/pay/x",
  payment_url: "https://pay.example/pay/x",
  trx_id: null,
  paid_at: null,
  expires_at: "2026-11-21T09:35:00+00:00",
  created_at: "2026-11-21T09:30:00+00:00",
  refunded_amount: 0,
  metadata: { till: "3" },
  locale: "fr",
};

/** Data of the order's pos.order.paid event. */
const EVENT = {
  amount: 41.5,
  currency: "EUR",
  status: "PAID",
  reference: "1001",
  terminal_id: null,
  trx_id: "TRX-482913750264",
  paid_at: "2026-11-21T09:31:12+00:00",
  order_number: null,
  custom: null,
  refunded_amount: 0,
  version: 2,
  metadata: null,
};

const CREATED = { message: { success: ["POS order created successfully"] }, data: ORDER };
const NOT_FOUND = {
  message: { code: 404, error: ["Order not found"] },
  data: [],
  type: "error",
  error_code: "order_not_found",
};

/** A shop's program: imports the package's types, makes a call and handles an error by its code. */
const PROGRAM = `
import { createPayClient, type CreateOrder, type Order, ErrorCode, TillgateApiError } from "@tillgate/client";

const [baseUrl = ""] = process.argv.slice(2);
const tillgate = createPayClient({ baseUrl, mode: "sandbox", clientId: "tg_test_1", clientSecret: "secret" });
const request: CreateOrder = { amount: "41.50", currency: "EUR", metadata: { till: "3" }, locale: "fr" };
const order: Order = await tillgate.orders.create(request, { idempotencyKey: "till-3/1001" });
const status: "PENDING" | "PAID" | "EXPIRED" | "CANCELLED" | "REFUND_PENDING" | "REFUNDED" = order.status;
// @ts-expect-error a status is not typed as any
const wrong: number = order.status;
const failure = await tillgate.orders.get("POS-00000000-AAAAAA").catch((error: unknown) => error);
if (!(failure instanceof TillgateApiError)) throw failure;
console.log(JSON.stringify({ id: order.order_id, status, known: failure.errorCode === ErrorCode.OrderNotFound.code, wrong }));
`;

/** The published packages and their folders. */
const FOLDERS = {
  client: "packages/client",
  webhooks: "packages/webhooks",
  connector: "plugin/connector",
} as const;
type Name = keyof typeof FOLDERS;
const NAMES = Object.keys(FOLDERS).filter((name): name is Name => name in FOLDERS);
const nameOf = (name: Name) => `@tillgate/${name}`;

const manifestSchema = z.object({
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  bin: z.record(z.string(), z.string()).default({}),
  private: z.boolean().default(false),
  license: z.string(),
  engines: z.object({ node: z.string() }),
  publishConfig: z.unknown().optional(),
});
const manifestOf = async (folder: string) =>
  manifestSchema.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));

let folder: string;
let project: string;
let modules: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-packages-"));
  project = join(folder, "project");
  modules = join(project, "node_modules");
  await install();
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

/**
 * Packs the packages and installs them in an empty project without a registry: their pinned dependencies are linked from this
 * repository's installation. Nothing else of the repository is resolvable from there.
 */
async function install(): Promise<void> {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const packed = await run("npm", [...args, ...NAMES.flatMap((name) => ["--workspace", nameOf(name)])], {
    cwd: root,
  });
  const output: unknown = JSON.parse(packed.stdout);
  const tarballs = z
    .array(z.object({ name: z.string(), filename: z.string() }))
    .parse(Array.isArray(output) ? output : Object.values(z.record(z.string(), z.unknown()).parse(output)));
  await mkdir(join(modules, "@tillgate"), { recursive: true });
  await mkdir(join(modules, ".bin"));
  for (const { name, filename } of tarballs) {
    await run("tar", ["-xzf", join(folder, filename), "-C", folder]);
    await rename(join(folder, "package"), join(modules, name));
  }
  for (const name of NAMES) {
    const { dependencies, bin } = await manifestOf(join(modules, nameOf(name)));
    for (const [needed, version] of Object.entries(dependencies)) await link(needed, version, FOLDERS[name]);
    for (const [command, program] of Object.entries(bin)) {
      const path = join(modules, nameOf(name), program);
      // As npm does.
      await chmod(path, 0o755);
      await symlink(relative(join(modules, ".bin"), path), join(modules, ".bin", command));
    }
  }
  await link("@types/node", null, "");
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
}

/** Links a package from this repository's installation, where the package's dependencies resolve. */
async function link(name: string, version: string | null, neededBy: string): Promise<void> {
  const candidates = [join(root, neededBy, "node_modules", name), join(root, "node_modules", name)];
  const source = candidates.find((candidate) => existsSync(candidate));
  if (source === undefined) throw new Error(`${name} is not installed.`);
  if (version !== null) expect(await manifestVersion(source), name).toBe(version);
  const target = join(modules, name);
  if (existsSync(target)) return;
  await mkdir(dirname(target), { recursive: true });
  await symlink(source, target);
}

const manifestVersion = async (folder: string) =>
  z.object({ version: z.string() }).parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")))
    .version;

/** Returns the last code block of a package's README that is in `language` and contains `excerpt`. */
async function exampleOf(name: Name, language: string, excerpt: string): Promise<string> {
  const text = await readFile(join(root, FOLDERS[name], "README.md"), "utf8");
  const blocks = text.split(/^```/m).filter((_, index) => index % 2 === 1);
  const example = blocks.findLast((block) => block.startsWith(`${language}\n`) && block.includes(excerpt));
  if (example === undefined)
    throw new Error(`The README of ${name} has no ${language} block that contains ${excerpt}.`);
  return example.slice(language.length + 1);
}

/** Starts a test server on a free port. */
async function serve(listener: Parameters<typeof createServer>[1]) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Runs a program of the project while `work` runs. @returns its output */
async function whileRunning(
  command: [string, ...string[]],
  environment: Record<string, string>,
  work: () => Promise<void>,
): Promise<string> {
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: project,
    // A separate process group for npx, a shell and the program.
    detached: true,
    env: { PATH: process.env.PATH, HOME: project, npm_config_update_notifier: "false", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  const ended = once(child, "exit");
  try {
    const early = ended.then(([code]) => Promise.reject(new Error(`The program exited with code ${code}.`)));
    await Promise.race([work(), early]);
    return output;
  } catch (error) {
    throw new Error(`${command.join(" ")} printed: ${output}`, { cause: error });
  } finally {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
      process.kill(-child.pid);
      await ended;
    }
  }
}

/** Retries a call until the program listens. */
const eventually = <Result>(call: () => Promise<Result>) =>
  vi.waitFor(call, { timeout: 30_000, interval: 50 });

it("the packages can be installed, and the programs in their READMEs type-check", async () => {
  await writeFile(join(project, "shop.ts"), PROGRAM);
  for (const name of NAMES) {
    for (const file of ["README.md", "LICENSE"])
      expect(existsSync(join(modules, nameOf(name), file)), `${name}/${file}`).toBe(true);
    await writeFile(join(project, `${name}.ts`), await exampleOf(name, "ts", "createServer("));
  }
  const strict = "--strict --noEmit false --module NodeNext --target ES2023 --types node".split(" ");
  // tsgo has the same checks as tsc and is several times as fast.
  const tsgo = join(root, "node_modules/.bin/tsgo");
  const programs = ["shop.ts", ...NAMES.map((name) => `${name}.ts`)];
  await run(tsgo, [...strict, ...programs], { cwd: project }).catch((error: unknown) => {
    throw new Error(z.object({ stdout: z.string() }).parse(error).stdout);
  });
}, 120_000);

it("the packed client creates an order with its idempotency key, and exposes an error's code", async () => {
  const requests: { url: string; key: string | undefined }[] = [];
  const server = await serve((request, response) => {
    requests.push({ url: request.url ?? "", key: request.headers["idempotency-key"]?.toString() });
    const found = request.method === "POST";
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ? CREATED : NOT_FOUND));
  });
  try {
    const { stdout } = await run(process.execPath, ["shop.js", server.url], { cwd: project });
    expect(JSON.parse(stdout)).toEqual({
      id: ORDER.order_id,
      status: "PENDING",
      known: true,
      wrong: "PENDING",
    });
    expect(requests).toEqual([
      { url: "/pay/sandbox/api/v1/orders", key: "till-3/1001" },
      { url: "/pay/sandbox/api/v1/orders/POS-00000000-AAAAAA", key: undefined },
    ]);
  } finally {
    await server.close();
  }
});

const EVENT_ID = "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d";
const SECRET = "secret";
/** Creates a signed pos.order.paid event, as Tillgate sends it. */
const paidEvent = () =>
  createSignedEvent(
    { id: EVENT_ID, event: "pos.order.paid", data: { ...EVENT, order_id: ORDER.order_id } },
    SECRET,
  );
const send = (url: string, { headers, body }: ReturnType<typeof paidEvent>) =>
  fetch(url, { method: "POST", headers, body });

it.each(["client", "webhooks"] as const)(
  "the receiver in the README of %s accepts genuine events, even of an unknown type, rejects a changed event, and survives malformed requests",
  async (name) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      TILLGATE_URL: "http://127.0.0.1:9",
      CLIENT_ID: "tg_test_1",
      CLIENT_SECRET: SECRET,
      PORT: String(port),
    };
    const output = await whileRunning([process.execPath, `${name}.js`], environment, async () => {
      const event = paidEvent();
      expect((await eventually(() => send(url, event))).status).toBe(204);
      expect((await send(url, { ...event, body: event.body.replace("41.5", "4150") })).status).toBe(401);
      await sendHostileRequests(port);
      const tomorrow = createSignedEvent({ id: EVENT_ID, event: "pos.order.tomorrow", data: {} }, SECRET);
      expect((await send(url, tomorrow)).ok).toBe(true);
      expect((await send(url, event)).status).toBe(204);
    });
    expect(output).toContain(name === "client" ? ORDER.order_id : EVENT_ID);
  },
);

it("the library example in the connector's README starts a payment and marks the shop's order as paid on a signed event", async () => {
  const order = {
    id: 55,
    number: ORDER.reference,
    status: "pending",
    currency: "EUR",
    total: "41.50",
    order_key: "wc_order_1",
    payment_method: "tillgate",
    transaction_id: "",
    refunds: [],
    line_items: [],
  };
  const notes: unknown[] = [];
  // Stub of both WooCommerce and Tillgate.
  const both = await serve(async (request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://both");
    const body = request.method === "GET" ? {} : z.record(z.string(), z.unknown()).parse(await json(request));
    if (request.method === "PUT")
      Object.assign(order, body, "set_paid" in body ? { status: "processing" } : {});
    if (request.method === "POST" && pathname.endsWith("/notes")) notes.push(body);
    const reply = pathname.endsWith("/orders/55")
      ? order
      : pathname.endsWith("/notes")
        ? request.method === "POST"
          ? { id: notes.length }
          : notes
        : pathname === "/pay/sandbox/api/v1/orders"
          ? CREATED
          : [];
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    RECORDS_URL: `file:${join(folder, "library.db")}`,
    PUBLIC_URL: url,
    STORE_URL: both.url,
    TILLGATE_API_URL: both.url,
    CONSUMER_KEY: "ck_1",
    CONSUMER_SECRET: "cs_1",
    CLIENT_ID: "tg_test_1",
    CLIENT_SECRET: SECRET,
    PORT: String(port),
  };
  try {
    await whileRunning([process.execPath, "connector.js"], environment, async () => {
      const pay = (key: string) => fetch(`${url}/pay?order=55&key=${key}`, { redirect: "manual" });
      const started = await eventually(() => pay(order.order_key));
      expect([started.status, started.headers.get("location")]).toEqual([303, ORDER.payment_url]);
      expect((await pay("wc_order_2")).status).toBe(404);
      const event = paidEvent();
      const changed = { ...event, body: event.body.replace("41.5", "4150") };
      expect((await send(`${url}/tillgate`, changed)).status).toBe(401);
      expect(order.status).toBe("pending");
      expect((await send(`${url}/tillgate`, event)).status).toBe(204);
      expect(order).toMatchObject({ status: "processing", transaction_id: EVENT.trx_id });
      expect(JSON.stringify(notes)).toContain(EVENT.trx_id);
      await sendHostileRequests(port);
      expect((await pay("wc_order_2")).status).toBe(404);
    });
  } finally {
    await both.close();
  }
});

it("the connector as a service reports missing settings and starts with the commands in its README", async () => {
  const bare = run(join(modules, ".bin/tillgate-connector"), {
    cwd: project,
    env: { PATH: process.env.PATH },
  });
  const { code, stderr } = z
    .object({ code: z.number(), stderr: z.string() })
    .parse(await bare.catch((error: unknown) => error));
  expect(code).toBe(1);
  expect(stderr).toContain("The connector cannot start:");
  expect(stderr).toContain("CONNECTOR_DATABASE_URL");

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await writeFile(
    join(project, "stores.json"),
    (await exampleOf("connector", "json", "consumer_key")).replaceAll(
      "https://shop.example",
      "http://127.0.0.1:9",
    ),
  );
  const commands = (await exampleOf("connector", "sh", "npx tillgate-connector"))
    .replace("/var/lib/tillgate", folder)
    .replace("https://connector.example", url)
    .replace("https://api.tillgate.example", "http://127.0.0.1:9");
  expect(commands).not.toMatch(/\.example\b/);
  await whileRunning(["bash", "-e", "-c", commands], { PORT: String(port) }, async () => {
    expect((await eventually(() => fetch(`${url}/readyz`))).status).toBe(200);
    expect((await fetch(`${url}/health/shop`)).status).toBe(401);
  });
  expect(existsSync(join(folder, "connector.db"))).toBe(true);
});

it("tillgate-connect and tillgate-compare print their usage", async () => {
  const help = async (command: string) => {
    const { stdout, stderr } = await run(join(modules, ".bin", command), ["--help"], { cwd: project });
    expect(stdout + stderr).toContain(`Usage: ${command}`);
  };
  await Promise.all(["tillgate-connect", "tillgate-compare"].map(help));
});

it("the packages depend on no unpublished Tillgate package, and include their licence", async () => {
  const licence = await readFile(join(root, "LICENSE"), "utf8");
  for (const name of NAMES) {
    const manifest = await manifestOf(join(root, FOLDERS[name]));
    const own = Object.keys(manifest.dependencies).filter((needed) => needed.startsWith("@tillgate/"));
    expect(own.filter((needed) => !NAMES.some((published) => nameOf(published) === needed))).toEqual([]);
    expect(manifest).toMatchObject({
      private: false,
      license: "MIT",
      engines: { node: ">=20.19" },
      publishConfig: { access: "public", provenance: true },
    });
    expect(await readFile(join(root, FOLDERS[name], "LICENSE"), "utf8")).toBe(licence);
  }
});
