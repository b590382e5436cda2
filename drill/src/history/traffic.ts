import { setTimeout as delay } from "node:timers/promises";
import { PAUSE_AFTER_NONE_MS } from "../api-clients.js";
import { createClient, type Shared } from "./client.js";
import { type Address, createParties } from "./parties.js";
import { openRecorder } from "./record.js";
import { recordFinalStatements, recordOpening } from "./statements.js";

export type Traffic = {
  readonly count: number;
  end(): Promise<void>;
  /** Reads every wallet to its first entry, and closes the record. @throws Error if a wallet cannot be read. */
  readFinalStatements(): Promise<void>;
};

/**
 * Moves money between the wallets of the second merchant and two shoppers. No other caller may move money into or out of these wallets.
 * @param pauseMs pause between two calls of a client.
 */
export async function startTraffic(
  address: Address,
  file: string,
  { clients, pauseMs = 0 }: { clients: number; pauseMs?: number },
): Promise<Traffic> {
  const parties = createParties(address);
  const recorder = openRecorder(file);
  await recordOpening(parties, recorder);
  const shared: Shared = { parties, recorder, refundable: [], lastAmounts: new Map(), lookups: new Map() };
  let ending = false;
  const runClient = async (client: number): Promise<void> => {
    const call = createClient(client, shared);
    while (!ending) {
      // Calls that only prepare another call are not recorded, and may fail.
      const outcome = await call().catch(() => "unknown" as const);
      await delay(outcome === "unknown" ? PAUSE_AFTER_NONE_MS : pauseMs);
    }
  };
  const running = Array.from({ length: clients }, (_, at) => runClient(at + 1));
  return {
    get count() {
      return recorder.count;
    },
    async end() {
      ending = true;
      await Promise.all(running);
    },
    async readFinalStatements() {
      await recordFinalStatements(parties, recorder);
      await recorder.close();
    },
  };
}
