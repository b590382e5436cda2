import { randomBytes } from "node:crypto";
import { ensureDatabase } from "@tillgate/migrate";
import { getOrigin } from "../calls.js";
import type { Figure, Result } from "../figure.js";
import { compare, overHttp, type Side } from "../load.js";
import { hasPgbench, openPgbench } from "../pgbench.js";
import { openPgledger } from "../pgledger.js";
import { speedRow } from "../rows.js";
import type { System } from "../system.js";
import { createPayoutCalls } from "./payouts.js";

/** Complete payouts over HTTP compared with other ledgers' bare transfers. A peer that is not installed is skipped. */
export const peers: Figure = {
  name: "peers",
  async measure(system) {
    const results: Result[] = [];
    const script = process.env.TILLGATE_BENCH_PGLEDGER;
    if (script) {
      const pgledger = await openPgledger(await createDatabase(system, "bench_pgledger"), script);
      results.push(
        await compareWithPeer(system, "pgledger", pgledger.side, "pgledger_create_transfer called with pg"),
      );
      await pgledger.close();
    } else console.log("SKIPPED   pgledger: set TILLGATE_BENCH_PGLEDGER to the path of pgledger.sql.");
    if (await hasPgbench()) {
      const tpcb = await openPgbench(await createDatabase(system, "bench_pgbench"));
      results.push(await compareWithPeer(system, "pgbench", tpcb, "transactions of its TPC-B"));
    } else console.log("SKIPPED   pgbench: not found on the PATH.");
    return results;
  },
};

async function compareWithPeer(
  system: System,
  peer: string,
  peerSide: Side,
  reference: string,
): Promise<Result> {
  const next = await createPayoutCalls(system, system.merchants);
  const load = await compare({ ours: overHttp({ origin: getOrigin(system), next }), theirs: peerSide });
  return speedRow(`POST /payout compared with ${peer}`, load.ours, load.theirs, reference);
}

const createDatabase = async ({ adminUrl }: System, name: string): Promise<string> => {
  const password = randomBytes(24).toString("base64url");
  return (await ensureDatabase({ adminUrl, database: name, role: name, password })).url;
};
