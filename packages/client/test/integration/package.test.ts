import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rawKey, signWebhook } from "@tillgate/webhooks";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const packages = fileURLToPath(new URL("../../../", import.meta.url));
const { resolve } = createRequire(import.meta.url);

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

/** The data of its event once it is paid. */
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

/** A shop's program as its author would write it: types of the package, a call, an error decided by its code. */
const PROGRAM = `
import { createPayClient, type CreateOrder, type Order, Refusal, TillgateApiError } from "@tillgate/client";

const [baseUrl = ""] = process.argv.slice(2);
const tillgate = createPayClient({ baseUrl, mode: "sandbox", clientId: "tg_test_1", clientSecret: "secret" });
const wanted: CreateOrder = { amount: "41.50", currency: "EUR", metadata: { till: "3" }, locale: "fr" };
const order: Order = await tillgate.orders.create(wanted, { idempotencyKey: "till-3/1001" });
const status: "PENDING" | "PAID" | "EXPIRED" | "CANCELLED" | "REFUND_PENDING" | "REFUNDED" = order.status;
// @ts-expect-error the type of a status is known, and not any
const wrong: number = order.status;
const refused = await tillgate.orders.get("POS-00000000-AAAAAA").catch((error: unknown) => error);
if (!(refused instanceof TillgateApiError)) throw refused;
console.log(JSON.stringify({ id: order.order_id, status, known: refused.errorCode === Refusal.OrderNotFound.code, wrong }));
`;

const PACKAGES = ["client", "webhooks"] as const;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-packages-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const manifestSchema = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  private: z.boolean().optional(),
  license: z.string(),
});
const manifestOf = async (path: string) => manifestSchema.parse(JSON.parse(await readFile(path, "utf8")));

/** Copies a package of this repository's own installation, and what it depends on. */
async function copyInstalled(name: string, modules: string, version?: string): Promise<void> {
  const manifest = resolve(`${name}/package.json`);
  if (version !== undefined) expect(JSON.parse(await readFile(manifest, "utf8"))).toMatchObject({ version });
  await cp(dirname(manifest), join(modules, name), { recursive: true });
  for (const needed of Object.keys((await manifestOf(manifest)).dependencies))
    await copyInstalled(needed, modules);
}

/** Packs each package and installs it without a registry: what it depends on, at its pinned version, is already here. */
async function install(): Promise<string> {
  const project = join(folder, "project");
  const modules = join(project, "node_modules");
  await mkdir(join(modules, "@tillgate"), { recursive: true });
  for (const name of PACKAGES) {
    const words = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
    const packed = await run("npm", words, { cwd: join(packages, name) });
    const tarball = join(folder, packed.stdout.trim().split("\n").at(-1) ?? "");
    await run("tar", ["-xzf", tarball, "-C", folder]);
    await rename(join(folder, "package"), join(modules, "@tillgate", name));
    const { dependencies } = await manifestOf(join(modules, "@tillgate", name, "package.json"));
    for (const [needed, version] of Object.entries(dependencies))
      await copyInstalled(needed, modules, version);
  }
  for (const types of ["@types/node", "undici-types"]) await copyInstalled(types, modules);
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  return project;
}

/** The program of a README: its last example that is one, with all of its imports. */
async function programOf(name: (typeof PACKAGES)[number]): Promise<string> {
  const text = await readFile(join(packages, name, "README.md"), "utf8");
  const examples = [...text.matchAll(/```ts\n([^`]*(?:`[^`]+`[^`]*)*?)```/g)].map(([, code = ""]) => code);
  const program = examples.findLast((code) => code.includes("createServer("));
  if (program === undefined) throw new Error(`The README of ${name} has no program.`);
  return program;
}

it("are packed, installed in an empty project, type-checked, and do what their READMEs say", async () => {
  const project = await install();
  for (const name of PACKAGES)
    for (const file of ["README.md", "LICENSE"])
      expect(existsSync(join(project, "node_modules/@tillgate", name, file)), `${name}/${file}`).toBe(true);
  await writeFile(join(project, "shop.ts"), PROGRAM);
  for (const name of PACKAGES) await writeFile(join(project, `${name}.ts`), await programOf(name));
  const strict = [
    "--strict",
    "--noEmit",
    "false",
    "--module",
    "NodeNext",
    "--target",
    "ES2023",
    "--types",
    "node",
  ];
  // The compiler of this repository: several times as fast as the other, with the same checks.
  const tsgo = join(packages, "../node_modules/.bin/tsgo");
  await run(tsgo, [...strict, "shop.ts", ...PACKAGES.map((name) => `${name}.ts`)], {
    cwd: project,
  }).catch((error: unknown) => {
    throw new Error(z.object({ stdout: z.string() }).parse(error).stdout);
  });

  const heard: { url: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    heard.push({ url: request.url ?? "", key: request.headers["idempotency-key"]?.toString() });
    const found = request.method === "POST";
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        found
          ? { message: { success: ["POS order created successfully"] }, data: ORDER }
          : {
              message: { code: 404, error: ["Order not found"] },
              data: [],
              type: "error",
              error_code: "order_not_found",
            },
      ),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = z.object({ port: z.number() }).parse(server.address());
  try {
    const { stdout } = await run(process.execPath, ["shop.js", `http://127.0.0.1:${address.port}`], {
      cwd: project,
    });
    expect(JSON.parse(stdout)).toEqual({
      id: ORDER.order_id,
      status: "PENDING",
      known: true,
      wrong: "PENDING",
    });
    expect(heard).toEqual([
      { url: "/pay/sandbox/api/v1/orders", key: "till-3/1001" },
      { url: "/pay/sandbox/api/v1/orders/POS-00000000-AAAAAA", key: undefined },
    ]);
  } finally {
    server.close();
  }
  for (const name of PACKAGES) await receives(project, name);
}, 240_000);

/** Runs the receiver of a README: it takes a genuine event, says what it is, and answers 401 to a changed one. */
async function receives(project: string, name: (typeof PACKAGES)[number]): Promise<void> {
  const port = await freePort();
  const environment = { TILLGATE_URL: "http://127.0.0.1:9", CLIENT_ID: "tg_test_1", CLIENT_SECRET: "secret" };
  const receiver = spawn(process.execPath, [`${name}.js`], {
    cwd: project,
    env: { ...environment, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let said = "";
    receiver.stdout.on("data", (text) => {
      said += text;
    });
    const id = "evt_9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d";
    const data = { ...EVENT, order_id: ORDER.order_id };
    const body = JSON.stringify({ id, event: "pos.order.paid", timestamp: ORDER.created_at, data });
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = {
      ...signWebhook({ id, event: "pos.order.paid", timestampSeconds, body, keys: [rawKey("secret")] }),
    };
    const send = (text: string) => fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: text });
    const first = await vi.waitFor(() => send(body), { timeout: 20_000, interval: 50 });
    expect(first.status).toBe(204);
    expect((await send(body.replace("41.5", "4150"))).status).toBe(401);
    expect(said).toContain(name === "client" ? ORDER.order_id : id);
  } finally {
    receiver.kill();
    await once(receiver, "exit");
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  server.close();
  await once(server, "close");
  return port;
}

it("have no dependency that is on no registry, and the licence of this repository", async () => {
  const licence = await readFile(join(packages, "../LICENSE"), "utf8");
  for (const name of PACKAGES) {
    const { dependencies, private: kept, license } = await manifestOf(join(packages, name, "package.json"));
    expect(Object.keys(dependencies).filter((needed) => needed.startsWith("@tillgate/"))).toEqual([]);
    expect({ kept, license }).toEqual({ kept: undefined, license: "MIT" });
    expect(await readFile(join(packages, name, "LICENSE"), "utf8")).toBe(licence);
  }
});
