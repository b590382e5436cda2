import { type Database, type Keyring, parseKeyring, proveLedger } from "@tillgate/database";
import type { SandboxDescription } from "@tillgate/database/seed";
import { expect } from "vitest";
import { type ApiProcess, type StartApi, startApi } from "./api-process.js";
import { createTestDatabase, testSeed } from "./test-database.js";

/** The seeded sandbox in a database of one test file, and the api processes that the file starts over it. */
export type Sandbox = {
  url: string;
  database: Database;
  keyring: Keyring;
  access: SandboxDescription;
  /** Starts one more api process (HTTP side) over this database; `close` ends it. */
  startApi(options?: StartApi): Promise<ApiProcess>;
  /** Runs SQL as superuser. */
  administer(sql: string): Promise<void>;
  /** Ends what was started, proves the ledger, and drops the database. */
  close(): Promise<void>;
};

export async function openSandbox(): Promise<Sandbox> {
  const { template, keys, access } = testSeed();
  const test = await createTestDatabase(template);
  const keyring = parseKeyring(keys);
  const started: ApiProcess[] = [];
  return {
    url: test.url,
    database: test.open(),
    keyring,
    access,
    administer: test.administer,
    async startApi(options = {}) {
      const api = await startApi({ databaseUrl: test.url, database: test.open(), keys }, options);
      started.push(api);
      return api;
    },
    async close() {
      await Promise.all(started.map((api) => api.close()));
      const { rules } = await proveLedger(test.url);
      await test.drop();
      expect(rules.filter(({ violations }) => violations.length > 0)).toEqual([]);
    },
  };
}
