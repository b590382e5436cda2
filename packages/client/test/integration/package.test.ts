import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";

const run = promisify(execFile);
const client = fileURLToPath(new URL("../../", import.meta.url));
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

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-client-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Installs the tarball without a registry: what it depends on is taken from this repository's own installation. */
async function install(tarball: string): Promise<void> {
  await run("tar", ["-xzf", tarball, "-C", folder]);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(await readFile(join(folder, "package/package.json"), "utf8")));
  const modules = join(folder, "project/node_modules");
  await mkdir(join(modules, "@tillgate"), { recursive: true });
  await cp(join(folder, "package"), join(modules, "@tillgate/client"), { recursive: true });
  for (const [name, version] of Object.entries(dependencies)) {
    const manifest = resolve(`${name}/package.json`);
    expect(JSON.parse(await readFile(manifest, "utf8"))).toMatchObject({ version });
    await cp(dirname(manifest), join(modules, name), { recursive: true });
  }
  await cp(dirname(resolve("@types/node/package.json")), join(modules, "@types/node"), { recursive: true });
  await cp(dirname(resolve("undici-types/package.json")), join(modules, "undici-types"), { recursive: true });
}

it("packs into a package that an empty project installs, type-checks and calls Tillgate with", async () => {
  const packed = await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: client,
  });
  await install(join(folder, packed.stdout.trim().split("\n").at(-1) ?? ""));
  const project = join(folder, "project");
  expect(existsSync(join(project, "node_modules/@tillgate/client/README.md"))).toBe(true);
  await writeFile(join(project, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(project, "shop.ts"), PROGRAM);
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
  const tsc = join(dirname(resolve("typescript/package.json")), "bin/tsc");
  await run(process.execPath, [tsc, ...strict, "shop.ts"], { cwd: project }).catch((error: unknown) => {
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
}, 240_000);

it("has no dependency that is on no registry", async () => {
  const manifest: unknown = JSON.parse(await readFile(join(client, "package.json"), "utf8"));
  const { dependencies, private: kept } = z
    .object({ dependencies: z.record(z.string(), z.string()), private: z.boolean().optional() })
    .parse(manifest);
  expect(Object.keys(dependencies).filter((name) => name.startsWith("@tillgate/"))).toEqual([]);
  expect(kept).toBeUndefined();
});
