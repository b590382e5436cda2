import type pg from "pg";
import { expect } from "vitest";
import { type LedgerProof, proveLedger, proveLedgerIn } from "../../src/prove-ledger.js";
import type { SandboxDatabase } from "../sandbox-database.js";

/** A damage to the books, the rules that it breaks by the start of their text, and how it is done. */
export type Damage = [what: string, rules: RegExp[], work: (client: pg.Client) => Promise<unknown>];

/** What a proof says of the books after a damage, by the role that proves in real life. The damage is undone afterwards. */
export async function proofAfter(database: SandboxDatabase, work: Damage[2]): Promise<LedgerProof> {
  let proof: LedgerProof | undefined;
  await database.breaking(async (client) => {
    await client.query("BEGIN");
    await work(client);
    await client.query("SET LOCAL ROLE tillgate_api");
    proof = await proveLedgerIn(client);
    await client.query("ROLLBACK");
  });
  if (!proof) throw new Error("nothing was proved");
  return proof;
}

function brokenRulesOf({ rules, sound }: LedgerProof): string[] {
  const broken = rules.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
  expect(sound).toBe(broken.length === 0);
  return broken;
}

/** Rules that the current ledger breaks. */
export const brokenRules = async (database: SandboxDatabase): Promise<string[]> =>
  brokenRulesOf(await proveLedger(database.url));

/** A proof reports these rules after the damage, and no other. */
export async function expectReported(
  database: SandboxDatabase,
  rules: readonly RegExp[],
  work: Damage[2],
): Promise<void> {
  const broken = brokenRulesOf(await proofAfter(database, work));
  expect(broken).toHaveLength(rules.length);
  for (const rule of rules) expect(broken).toContainEqual(expect.stringMatching(rule));
}
