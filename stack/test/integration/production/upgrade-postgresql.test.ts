import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { startEmbeddedServer } from "@tillgate/database/embedded";
import { withConnection } from "@tillgate/migrate";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as databases from "../../../src/databases.js";
import { upgrade } from "../../../src/production/upgrade-postgresql.js";
import {
  type ArchivingSystem,
  open,
  paidOrders,
  pay,
  startArchivingSystem,
} from "../../support/archiving-system.js";

/** Both versions are the same here: what differs is the server's cluster, not the copy. */
const old = { startEmbeddedServer, ...databases };
let system: ArchivingSystem;
beforeAll(async () => {
  system = await startArchivingSystem();
}, 60_000);
afterAll(() => system.stop());

const query = async (url: string, sql: string): Promise<Record<string, string>> =>
  withConnection({ connectionString: url }, async (client) => (await client.query(sql)).rows[0]);
const NUMBERS = `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, (SELECT max(turn)::text FROM events) AS event,
  (SELECT max(id)::text FROM entries) AS entry`;

it("the PostgreSQL upgrade copies the database to a new server with a sound ledger, and new events follow the old ones", async () => {
  await pay(system);
  const superuser = system.server.urlOf("tillgate");
  // A new server's transaction numbers begin below.
  await query(
    superuser,
    "DO $$ BEGIN FOR i IN 1..5000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$",
  );
  await pay(system);
  const before = await query(superuser, NUMBERS);
  const paid = await paidOrders(system.database);
  await system.server.stop();

  const into = path.join(system.folder, "upgraded");
  await upgrade({ dataDirectory: system.settings.dataDirectory, into, old });
  const server = await startEmbeddedServer({ dataDirectory: path.join(into, "postgres") });
  const url = server.urlOf("tillgate");
  const database = open(url);
  try {
    const after = await query(url, NUMBERS);
    expect(after).toMatchObject({ event: before.event, entry: before.entry });
    expect(Number(after.next)).toBeGreaterThanOrEqual(Number(before.next));
    expect(await paidOrders(database)).toEqual(paid);
    await pay({ database });
    const next = await query(url, NUMBERS);
    expect(Number(next.event)).toBeGreaterThan(Number(before.event));
    expect(Number(next.entry)).toBeGreaterThan(Number(before.entry));
    expect(await query(url, "SELECT count(*)::text AS extensions FROM pg_extension")).toEqual({
      extensions: "1",
    });
  } finally {
    await database.close();
    await server.stop();
  }
}, 120_000);

it("the PostgreSQL upgrade removes the new folder's files if the old ledger is not sound, and rejects a folder in use", async () => {
  const data = path.join(system.settings.dataDirectory, "postgres");
  const server = await startEmbeddedServer({ dataDirectory: data, fsync: false });
  await withConnection({ connectionString: server.urlOf("tillgate") }, (client) =>
    client.query(
      "SET session_replication_role = replica; UPDATE accounts SET balance = balance + 1 WHERE kind = 'merchant'",
    ),
  );
  await server.stop();
  const into = path.join(system.folder, "unsound");
  const options = { dataDirectory: system.settings.dataDirectory, into, old };
  await expect(upgrade(options)).rejects.toThrow("The ledger of the old database is NOT sound");
  expect(await readdir(system.folder)).not.toContain(expect.stringMatching(/^unsound/));
  expect(existsSync(path.join(data, "postmaster.pid"))).toBe(false);
  await expect(upgrade({ ...options, into: system.folder })).rejects.toThrow("is not empty");
}, 60_000);
