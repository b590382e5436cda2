import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runAsSuperuser, testServer } from "../../../../scripts/testing/databases.js";
import { openDatabase } from "../../src/database.js";

// A role's settings apply only to the role that signs in, so the tests need a login role instead of SET ROLE.
const role = `limited_${randomBytes(6).toString("hex")}`;
const url = new URL(testServer());
url.username = role;
url.password = role;

beforeAll(() => runAsSuperuser(`CREATE ROLE ${role} LOGIN PASSWORD '${role}'`));
afterAll(() => runAsSuperuser(`DROP ROLE ${role}`));

const open = (statementTimeoutMs: number, directUrl?: string) =>
  openDatabase({
    url: url.href,
    directUrl,
    maxConnections: 1,
    connectTimeoutMs: 10_000,
    statementTimeoutMs,
    onIdleError: () => undefined,
  });

const LIMITS = `
  SELECT name, setting, source FROM pg_settings
  WHERE name IN ('statement_timeout', 'idle_in_transaction_session_timeout') ORDER BY name`;

/** Returns the limits of a session that starts after `statementTimeoutMs` was stored in the role's settings. */
async function limitsBehindPooler(statementTimeoutMs: number): Promise<unknown[]> {
  // Without a pooler, the first connection is older than the settings that it changes. Two processes start at the same time.
  const first = [open(statementTimeoutMs, url.href), open(statementTimeoutMs, url.href)];
  await Promise.all(first.map(({ pool }) => pool.query("SELECT")));
  const later = open(statementTimeoutMs, url.href);
  const { rows } = await later.pool.query(LIMITS);
  await Promise.all([...first, later].map(({ close }) => close()));
  return rows;
}

it("openDatabase behind a pooler sets session limits on the role and updates them", async () => {
  for (const statementTimeoutMs of [7_000, 8_000]) {
    expect(await limitsBehindPooler(statementTimeoutMs)).toEqual([
      { name: "idle_in_transaction_session_timeout", setting: "60000", source: "database user" },
      { name: "statement_timeout", setting: String(statementTimeoutMs), source: "database user" },
    ]);
  }
});

it("openDatabase without a pooler sets session limits on the connection", async () => {
  const { pool, close } = open(9_000);
  const { rows } = await pool.query(LIMITS);
  await close();
  expect(rows).toMatchObject([{ source: "client" }, { source: "client" }]);
});
