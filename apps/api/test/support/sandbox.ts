import { type Database, type Keyring, parseKeyring, proveLedger } from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import { expect } from "vitest";
import { type ApiOptions, type ApiProcess, startApi } from "./api-process.js";
import { createTestDatabase, testSeed } from "./test-database.js";

/** A seeded database of one test file, and the APIs started on it. */
export type Sandbox = {
  url: string;
  database: Database;
  keyring: Keyring;
  access: SandboxDescription;
  startApi(options?: ApiOptions): Promise<ApiProcess>;
  executeAsSuperuser(sql: string): Promise<void>;
  /**
   * Runs SQL as superuser, bypassing the ledger's functions. Proves the ledger before the first call, because
   * `close` then no longer proves it.
   */
  plantRows(sql: string): Promise<void>;
  /** Stops the APIs, proves the ledger unless rows were planted, and drops the database. */
  close(): Promise<void>;
};

export async function openSandbox(): Promise<Sandbox> {
  const { template, keys, access } = testSeed();
  const test = await createTestDatabase(template);
  const keyring = parseKeyring(keys);
  const started: ApiProcess[] = [];
  let isPlanted = false;
  const findViolations = async () =>
    (await proveLedger(test.url)).rules.filter(({ violations }) => violations.length > 0);
  return {
    url: test.url,
    database: test.open(),
    keyring,
    access,
    executeAsSuperuser: test.executeAsSuperuser,
    async startApi(options = {}) {
      const api = await startApi({ databaseUrl: test.url, database: test.open(), keys }, options);
      started.push(api);
      return api;
    },
    async plantRows(sql) {
      if (!isPlanted) expect(await findViolations()).toEqual([]);
      isPlanted = true;
      await test.executeAsSuperuser(sql);
    },
    async close() {
      await Promise.all(started.map((api) => api.close()));
      const violations = isPlanted ? [] : await findViolations();
      await test.drop();
      expect(violations).toEqual([]);
    },
  };
}
