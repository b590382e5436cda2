import { inTransaction } from "@tillgate/service";
import { beforeAll, expect, it } from "vitest";
import { createMemory, MAX_CACHED_CREDENTIALS } from "../../../src/context.js";
import { LOOKUPS, resolveCredentials } from "../../../src/identity/credentials/authenticate.js";
import { flushLastUsed } from "../../../src/identity/credentials/last-used.js";
import { createCredential } from "../../../src/identity/credentials/manage.js";
import { startLastUsedFlush } from "../../../src/jobs/flush.js";
import type { ApiProcess } from "../../support/api-process.js";
import { merchantIdOf } from "../../support/parties.js";
import { createTestSandbox } from "../../support/test-api.js";
import { accessTokenStatus, callWith, lastUsedAt, requestAccessToken } from "./support.js";

let first: ApiProcess;
let second: ApiProcess;
let merchantId: string;

const sandbox = await createTestSandbox();
beforeAll(async () => {
  const environment = { TILLGATE_CREDENTIAL_CACHE_MS: "" };
  first = await sandbox.startApi({ environment });
  second = await sandbox.startApi({ environment });
  merchantId = await merchantIdOf(sandbox, sandbox.access.merchant.client_id);
});

const create = (kind: "client" | "api_token") =>
  createCredential(first.context, { merchantId, mode: "sandbox", kind });

it("the first use of a credential is recorded immediately; a wrong secret does not count as a use", async () => {
  for (const kind of ["client", "api_token"] as const) {
    const created = await create(kind);
    await callWith(first, { ...created, secret: `${created.secret}x` });
    await flushLastUsed(first.context);
    expect(await lastUsedAt(sandbox, created.id)).toBeNull();
    const before = new Date();
    await callWith(first, created);
    const used = await lastUsedAt(sandbox, created.id);
    expect(Number(used)).toBeGreaterThanOrEqual(before.getTime());
  }
});

it("later uses of a credential are recorded in batches and at shutdown, and do not replace a later time", async () => {
  const client = await create("client");
  const token = await create("api_token");
  for (const created of [client, token]) await callWith(first, created);
  const access = await requestAccessToken(first, client);
  const earlier = await Promise.all([client, token].map(({ id }) => lastUsedAt(sandbox, id)));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await accessTokenStatus(first, access)).toBe(404);
  await callWith(first, token);
  expect(await Promise.all([client, token].map(({ id }) => lastUsedAt(sandbox, id)))).toEqual(earlier);

  const job = startLastUsedFlush(first.context);
  await job.close();
  const later = await Promise.all([client, token].map(({ id }) => lastUsedAt(sandbox, id)));
  for (const [i, at] of later.entries()) expect(Number(at)).toBeGreaterThan(Number(earlier[i]));

  await callWith(second, client);
  await sandbox.database.pool.query(
    "UPDATE credentials SET last_used_at = now() + interval '1 hour' WHERE id = $1",
    [client.id],
  );
  const ahead = await lastUsedAt(sandbox, client.id);
  await callWith(second, client);
  await flushLastUsed(second.context);
  expect(await lastUsedAt(sandbox, client.id)).toEqual(ahead);
});

it("failed writes of last-used times are retried with the next batch, and do not fail the request", async () => {
  const api = await sandbox.startApi();
  const created = await create("api_token");
  await sandbox.executeAsSuperuser(
    "ALTER TABLE credentials ADD CONSTRAINT test_fails CHECK (last_used_at < '2000-01-01') NOT VALID",
  );
  expect((await callWith(api, created)).status).toBe(200);
  await expect(flushLastUsed(api.context)).rejects.toThrow("test_fails");
  await sandbox.executeAsSuperuser("ALTER TABLE credentials DROP CONSTRAINT test_fails");
  expect(await lastUsedAt(sandbox, created.id)).toBeNull();
  await flushLastUsed(api.context);
  expect(await lastUsedAt(sandbox, created.id)).not.toBeNull();
});

it("the credential cache shares one query between concurrent requests, and has a maximum size", async () => {
  const created = await create("client");
  await callWith(second, created);
  const { pool } = second.context.database;
  const requests: string[] = [];
  const context = {
    ...second.context,
    memory: createMemory(pool),
    database: {
      ...second.context.database,
      pool: new Proxy(pool, {
        get: (target, name) =>
          name === "query"
            ? (query: { text: string; values: string[] }) => {
                requests.push(...query.values);
                return pool.query(query);
              }
            : Reflect.get(target, name),
      }),
    },
  };
  await Promise.all(Array.from({ length: 50 }, () => resolveCredentials(context, "id", created.id)));
  expect(requests).toEqual([created.id]);

  const cache = context.memory.credentials;
  for (let i = 0; i < MAX_CACHED_CREDENTIALS + 500; i++)
    cache.set(`clientId unknown ${i}`, { until: Number.POSITIVE_INFINITY, found: Promise.resolve([]) });
  expect(cache.size).toBe(MAX_CACHED_CREDENTIALS);
});

it.each([
  ["clientId", "credentials_client_id_idx|credentials_one_lasting_secret", "tg_test_x"],
  ["id", "credentials_pkey|credentials_id_\\w+_key", "6e4c4a7e-9f0a-4f7e-9a51-0d8a3a3f0f11"],
  ["tokenHash", "credentials_secret_hash_key", "AAAA"],
] as const)("a credential is found by %s with an index lookup", async (by, index, value) => {
  const client = await sandbox.database.pool.connect();
  try {
    // With few rows the planner would prefer a sequential scan.
    await client.query("BEGIN; SET LOCAL enable_seqscan = off");
    const { rows } = await client.query<Record<string, string>>(`EXPLAIN ${LOOKUPS[by]}`, [value]);
    const plan = rows.flatMap((row) => Object.values(row)).join("\n");
    expect(plan).toMatch(new RegExp(`(${index})[^]*Index Cond`));
    expect(plan).not.toContain("Seq Scan");
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
});

it("concurrent flushes of last-used times do not deadlock with transactions that reference the credential", async () => {
  const { pool } = sandbox.database;
  const { id } = await create("client");
  const flush = () => {
    const pending = new Map([[id, { at: new Date(), address: "127.0.0.1", sites: {} }]]);
    const memory = { ...first.context.memory, lastUsed: { pending } };
    return flushLastUsed({ database: sandbox.database, memory });
  };
  const reference = () =>
    inTransaction(pool, (client) =>
      client.query("SELECT FROM credentials WHERE id = $1 FOR KEY SHARE", [id]),
    );
  // A deadlock would make one of the calls fail.
  await Promise.all(
    Array.from({ length: 18 }, async (_, caller) => {
      for (let call = 0; call < 150; call += 1) await (caller % 3 === 0 ? reference() : flush());
    }),
  );
}, 120_000);
