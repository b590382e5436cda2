import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type EmbeddedServer, startEmbeddedServer } from "@tillgate/database/embedded";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type DatabaseUrls,
  ensureEmbeddedDatabases,
  migrateApiDatabase,
  resolveExternalDatabases,
} from "../../src/databases.js";
import type { Secrets } from "../../src/secrets.js";

// A separate server, because the role names are fixed and global to a server.
let folder: string;
let server: EmbeddedServer;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-databases-"));
  server = await startEmbeddedServer({ dataDirectory: path.join(folder, "postgres"), fsync: false });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

const password = () => randomBytes(12).toString("hex");
const secrets: Secrets = {
  internal_key: password(),
  console_key: password(),
  encryption_keys: password(),
  store_consumer_key: password(),
  store_consumer_secret: password(),
  store_owner_password: password(),
  store_webhook_secret: password(),
  connector_health_key: password(),
  database_password: password(),
  api_database_password: password(),
  store_database_password: password(),
  connector_database_password: password(),
};

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

describe("the stack's databases:", () => {
  let urls: DatabaseUrls;
  beforeAll(async () => {
    urls = await ensureEmbeddedDatabases(server.url, secrets);
  });

  it.each([
    ["apiOwner", "tillgate"],
    ["store", "tillgate_store"],
    ["connector", "tillgate_connector"],
  ] as const)("%s owns its database and can create tables in it", async (name, role) => {
    expect(await query(urls[name], "SELECT current_user, current_database()")).toEqual([[role, role]]);
    await query(urls[name], "CREATE TABLE own (id int); DROP TABLE own");
  });

  it("the API's role can neither alter its tables nor become their owner", async () => {
    await migrateApiDatabase(urls);
    expect(await query(urls.api, "SELECT current_user, current_database()")).toEqual([
      ["tillgate_api", "tillgate"],
    ]);
    expect(await query(urls.api, "SELECT count(*) FROM orders")).toEqual([["0"]]);
    await expect(query(urls.api, "CREATE TABLE own (id int)")).rejects.toThrow(/permission denied/);
    await expect(query(urls.api, "ALTER TABLE orders DISABLE TRIGGER ALL")).rejects.toThrow(/must be owner/);
    for (const become of ["SET ROLE tillgate", "SET SESSION AUTHORIZATION tillgate"])
      await expect(query(urls.api, become)).rejects.toThrow(/permission denied/);
  });

  it.each([
    ["api", "tillgate_store"],
    ["api", "tillgate_connector"],
    ["store", "tillgate"],
    ["store", "tillgate_connector"],
    ["connector", "tillgate"],
    ["connector", "tillgate_store"],
  ] as const)("the %s cannot connect to the database %s", async (name, database) => {
    const url = new URL(urls[name]);
    url.pathname = `/${database}`;
    await expect(query(url.href, "SELECT 1")).rejects.toThrow(/permission denied for database/);
  });

  it.each(["api", "store", "connector"] as const)("the %s cannot create roles or databases", async (name) => {
    await expect(query(urls[name], "CREATE ROLE intruder")).rejects.toThrow(/permission denied/);
    await expect(query(urls[name], "CREATE DATABASE intruder")).rejects.toThrow(/permission denied/);
  });

  it("all URLs stay the same after a second start", async () => {
    expect(await ensureEmbeddedDatabases(server.url, secrets)).toEqual(urls);
  });
});

describe("an external PostgreSQL", () => {
  const none = { store: undefined, connector: undefined, apiDirect: undefined, apiOwner: undefined };

  async function createExternalOwner(attributes: string): Promise<string> {
    const name = `owner_${randomBytes(4).toString("hex")}`;
    await query(server.url, `CREATE ROLE ${name} LOGIN ${attributes} PASSWORD 'own'`);
    await query(server.url, `CREATE DATABASE ${name} OWNER ${name}`);
    const url = new URL(server.urlOf(name));
    url.username = name;
    url.password = "own";
    return url.href;
  }

  it("requires the owner's URL if the given role cannot create the API's role", async () => {
    const api = await createExternalOwner("");
    await expect(resolveExternalDatabases({ ...none, api }, secrets)).rejects.toThrow(
      /set DATABASE_OWNER_URL/,
    );
  });

  it("requires the shop's and the connector's URLs if the owner's role cannot create databases", async () => {
    const apiOwner = await createExternalOwner("");
    const api = await createExternalOwner("");
    await expect(resolveExternalDatabases({ ...none, api, apiOwner }, secrets)).rejects.toThrow(
      /set STORE_DATABASE_URL and CONNECTOR_DATABASE_URL/,
    );
  });

  it("is used as configured if all URLs are given", async () => {
    const apiOwner = await createExternalOwner("");
    const worker = new URL(await createExternalOwner(""));
    const apiRole = worker.username;
    worker.pathname = new URL(apiOwner).pathname;
    const api = worker.href;
    const sides = { store: "postgresql://s/s", connector: "postgresql://c/c" };
    const urls = await resolveExternalDatabases({ ...none, api, apiOwner, ...sides }, secrets);
    expect(urls).toEqual({ api, apiOwner, apiRole, ...sides });
    await migrateApiDatabase(urls);
    expect(await query(api, "SELECT count(*) FROM orders")).toEqual([["0"]]);
    await expect(query(api, "DROP TABLE orders")).rejects.toThrow(/must be owner/);
    // PUBLIC has no TEMPORARY privilege, so nobody can shadow a table.
    await expect(query(api, "CREATE TEMPORARY TABLE orders ()")).rejects.toThrow(/permission denied/);
  });

  it("is rejected if DATABASE_URL and DATABASE_OWNER_URL name the same role", async () => {
    const api = await createExternalOwner("");
    await expect(resolveExternalDatabases({ ...none, api, apiOwner: api }, secrets)).rejects.toThrow(
      /name the same role/,
    );
  });

  it("gets the API's role and the shop's and the connector's databases if the given role can create them", async () => {
    await query(server.url, "DROP DATABASE IF EXISTS tillgate_store");
    await query(server.url, "DROP DATABASE IF EXISTS tillgate_connector");
    await query(server.url, "DROP ROLE IF EXISTS tillgate_store, tillgate_connector");
    const api = await createExternalOwner("CREATEDB CREATEROLE");
    const urls = await resolveExternalDatabases({ ...none, api }, secrets);
    await migrateApiDatabase(urls);
    expect(await query(urls.api, "SELECT current_user")).toEqual([[`${new URL(api).username}_api`]]);
    expect(urls.apiOwner).toBe(api);
    expect(await query(urls.store, "SELECT current_user")).toEqual([["tillgate_store"]]);
    expect(await query(urls.connector, "SELECT current_user")).toEqual([["tillgate_connector"]]);
  });

  it("is reported by host and database, without the password, if it does not respond", async () => {
    const api = "postgresql://me:hidden@127.0.0.1:1/shop";
    const failed = resolveExternalDatabases({ ...none, api }, secrets);
    await expect(failed).rejects.toThrow(/^DATABASE_URL \(127\.0\.0\.1:1\/shop\) cannot be used: /);
    await expect(failed).rejects.not.toThrow(/hidden/);
  });
});
