import type pg from "pg";
import { expect } from "vitest";
import { type LedgerProof, proveLedger, proveLedgerIn } from "../../src/prove-ledger.js";
import type { SandboxDatabase } from "../sandbox-database.js";

/** Damage to the ledger: its description, the rules that report it (by the start of their text), and the SQL that causes it. */
export type Damage = [what: string, rules: RegExp[], work: (client: pg.Client) => Promise<unknown>];

/** Returns the ledger proof after the damage, run with the API's role as in production. The damage is rolled back. */
export async function proofAfter(database: SandboxDatabase, work: Damage[2]): Promise<LedgerProof> {
  let proof: LedgerProof | undefined;
  await database.breaking(async (client) => {
    await client.query("BEGIN");
    await work(client);
    await client.query("SET LOCAL ROLE tillgate_api");
    proof = await proveLedgerIn(client);
    await client.query("ROLLBACK");
  });
  if (!proof) throw new Error("the ledger was not checked");
  return proof;
}

function brokenRulesOf({ rules, sound }: LedgerProof): string[] {
  const broken = rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
  expect(sound).toBe(broken.length === 0);
  return broken;
}

/** Returns the rules that the current ledger violates. */
export const brokenRules = async (database: SandboxDatabase): Promise<string[]> =>
  brokenRulesOf(await proveLedger(database.url));

/** Expects the proof to report exactly these rules after the damage. */
export async function expectReported(
  database: SandboxDatabase,
  rules: readonly RegExp[],
  work: Damage[2],
): Promise<void> {
  const broken = brokenRulesOf(await proofAfter(database, work));
  expect(broken).toHaveLength(rules.length);
  for (const rule of rules) expect(broken).toContainEqual(expect.stringMatching(rule));
}
