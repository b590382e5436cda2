import { randomBytes } from "node:crypto";
import { ensureDatabase, withConnection } from "@tillgate/migrate";
import { getOrigin } from "../calls.js";
import type { Figure, Result } from "../figure.js";
import { CALLERS, compare, overHttp, type Side } from "../load.js";
import { hasPgbench, openPgbench } from "../pgbench.js";
import { openPgledger } from "../pgledger.js";
import { speedRow } from "../rows.js";
import type { System } from "../system.js";
import { createPayoutCalls, MANY_CONNECTIONS } from "./payouts.js";

/** Complete payouts over HTTP compared with other ledgers' bare transfers. A peer that is not installed is skipped. */
export const peers: Figure = {
  name: "peers",
  async measure(system) {
    const results: Result[] = [];
    const script = process.env.TILLGATE_BENCH_PGLEDGER;
    if (script) {
      await withDatabase(system, "bench_pgledger", async (url) => {
        const pgledger = await openPgledger(url, script);
        const reference = "pgledger_create_transfer called with pg";
        try {
          results.push(...(await compareWithPeer(system, "pgledger", pgledger.side, reference, [1])));
        } finally {
          await pgledger.close();
        }
      });
    } else console.log("SKIPPED   pgledger: set TILLGATE_BENCH_PGLEDGER to the path of pgledger.sql.");
    if (await hasPgbench()) {
      await withDatabase(system, "bench_pgbench", async (url) => {
        const tpcb = await openPgbench(url);
        const reference = "transactions of its TPC-B";
        results.push(...(await compareWithPeer(system, "pgbench", tpcb, reference, [0.5, 1])));
      });
    } else console.log("SKIPPED   pgbench: not found on the PATH.");
    return results;
  },
};

/**
 * Compares payouts at 32 and at 256 connections with the peer at 32. @param targets for 32 and 256 connections; a row without a target is
 * informative.
 */
async function compareWithPeer(
  system: System,
  peer: string,
  peerSide: Side,
  reference: string,
  targets: readonly number[],
): Promise<Result[]> {
  const next = await createPayoutCalls(system, system.merchants);
  const origin = getOrigin(system);
  const load = await compare({
    few: overHttp({ origin, next }),
    many: overHttp({ origin, next, connections: MANY_CONNECTIONS }),
    theirs: peerSide,
  });
  return [load.few, load.many].map((ours, at) => {
    const connections = at === 0 ? CALLERS : MANY_CONNECTIONS;
    const title = `POST /payout at ${connections} connections compared with ${peer}`;
    const atLeast = targets[at];
    return speedRow(title, ours, load.theirs, reference, atLeast === undefined ? undefined : { atLeast });
  });
}

/** Runs `work` with a new database. Drops the database afterwards, so that its checkpoints and vacuums do not slow down the next figures. */
async function withDatabase(
  { adminUrl }: System,
  database: string,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const password = randomBytes(24).toString("base64url");
  const { url } = await ensureDatabase({ adminUrl, database, role: database, password });
  try {
    await work(url);
  } finally {
    await withConnection({ connectionString: adminUrl }, async (client) => {
      await client.query(`DROP DATABASE ${database} WITH (FORCE)`);
      await client.query(`DROP ROLE ${database}`);
      await client.query("CHECKPOINT");
    });
  }
}
