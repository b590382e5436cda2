import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  checkEvents,
  checkHistory,
  checkKeys,
  checkProof,
  checkServers,
  checkWebhooks,
  retryUnknown,
} from "./checks.js";
import type { Databases, Fault, StartDatabases } from "./databases.js";
import { startTraffic, type Traffic } from "./history/traffic.js";
import { KINDS, openJournal } from "./journal.js";
import { startEventReader, startReceiver } from "./listeners.js";
import { startLoad } from "./load.js";
import type { InjectedFault, Outcome } from "./report.js";
import { startSystem } from "./system.js";

const QUIET_MS = 3_000;
/** Clients must be served again for this long after a recovery, before the next outage is measured. */
const SERVED_MS = 2_000;
/** Number of faults after which unacknowledged calls are retried, because an order can be paid only for an hour. */
const RETRY_INTERVAL = 20;
const RECORDED_CLIENTS = 16;
const RECORDED_PAUSE_MS = 60;

/** Returns the longest interval between `from` and `to` that contains none of the times, in their unit. */
export function findLongestGap(times: readonly number[], from: number, to: number): number {
  const inside = [from, ...times.filter((at) => at > from && at < to), to];
  return Math.max(...inside.slice(1).map((at, index) => at - (inside[index] ?? from)));
}

/**
 * Starts a cluster under load, injects every fault several times in random order, and runs the checks. If the cluster does not recover from a fault,
 * this counts as a violation, and the drill continues.
 */
export async function runDrill<Cluster extends Databases>(options: {
  folder: string;
  synchronous: boolean;
  start: StartDatabases<Cluster>;
  faults: readonly Fault<Cluster>[];
  count: number;
  say: (line: string) => void;
}): Promise<Outcome> {
  const { folder, synchronous, count, say } = options;
  const system = await startSystem(folder, synchronous, options.start);
  // Background programs would outlive the drill.
  const interrupt = (): void => void system.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const journal = openJournal(path.join(folder, "journal.jsonl"));
  const receiver = await startReceiver(system);
  const reader = startEventReader(system);
  const load = startLoad(system, journal, receiver.address);
  const history = path.join(folder, "history.jsonl");
  let traffic: Traffic | undefined;
  const injected: InjectedFault[] = [];
  const unrecovered: string[] = [];
  let retried = 0;
  const neverAcknowledged: string[] = [];
  const retry = async (): Promise<void> => {
    const { count: retriedNow, violations } = await retryUnknown(journal);
    retried += retriedNow;
    neverAcknowledged.push(...violations);
  };
  try {
    traffic = await startTraffic(system, history, {
      clients: RECORDED_CLIENTS,
      pauseMs: RECORDED_PAUSE_MS,
    });
    for (const fault of shuffle(Array.from({ length: count }, () => options.faults).flat())) {
      const recorded = traffic.count;
      await delay(1_000 + Math.random() * QUIET_MS);
      const from = performance.now();
      try {
        await fault.inject(system.cluster, system);
        await system.cluster.recovered();
      } catch (error) {
        unrecovered.push(`${fault.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await delay(SERVED_MS);
      const outageMs = findLongestGap(journal.acknowledgedAt, from, performance.now());
      injected.push({ name: fault.name, outageMs, recorded: traffic.count - recorded });
      say(`${injected.length}. ${fault.name}: no acknowledgement for ${(outageMs / 1_000).toFixed(1)} s`);
      if (injected.length % RETRY_INTERVAL === 0) await retry();
    }
    await Promise.all([load.end(), traffic.end()]);
    // With asynchronous replication the cluster may not recover at all: that is a finding, and the drill continues.
    await system.cluster.recovered().catch((error: unknown) => {
      unrecovered.push(`after the load: ${error instanceof Error ? error.message : String(error)}`);
    });
    const url = system.superuserUrl(system.cluster.directPort);
    await retry();
    const checks = [
      {
        name: "after each fault there is one primary and every other server follows it",
        violations: unrecovered,
      },
      {
        name: `every call that was not acknowledged is acknowledged when it is retried (${retried} calls)`,
        violations: neverAcknowledged,
      },
      await checkKeys(journal, url),
      await checkHistory(traffic, history),
      await checkProof(url),
      await checkWebhooks(receiver, url),
    ];
    await reader.end();
    checks.push(await checkEvents(reader, system, url), await checkServers(system));
    const operations = KINDS.map((kind) => ({
      kind,
      count: journal.operations.filter((operation) => operation.kind === kind).length,
    }));
    return { synchronous, injected, checks, operations };
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await Promise.all([load.end(), traffic?.end()]);
    journal.close();
    receiver.close();
    await system.stop();
  }
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((event, other) => event.place - other.place)
    .map(({ item }) => item);
}
