import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { eventsInOrder, keysOnce, proofHolds, sendAgain, serversAgree, webhooksArrive } from "./checks.js";
import type { Databases, StartDatabases, Strike } from "./databases.js";
import { KINDS, openJournal } from "./journal.js";
import { startEventReader, startReceiver } from "./listeners.js";
import { startLoad } from "./load.js";
import type { Outcome, Struck } from "./report.js";
import { startSystem } from "./system.js";

/** Upper bound of the random wait between two faults, in milliseconds. */
const QUIET_MS = 3_000;
/** How long clients must be served again after a recovery, before the next outage is measured. */
const SERVED_MS = 2_000;

/** The longest time without an acknowledged call. */
export function longestGap(times: readonly number[], from: number, to: number): number {
  const inside = [from, ...times.filter((at) => at > from && at < to), to];
  return Math.max(...inside.slice(1).map((at, place) => at - (inside[place] ?? from)));
}

/** One drill: a cluster, load, every fault so many times in random order, and then the checks. */
export async function drill<Cluster extends Databases>(options: {
  folder: string;
  synchronous: boolean;
  start: StartDatabases<Cluster>;
  strikes: readonly Strike<Cluster>[];
  count: number;
  say: (line: string) => void;
}): Promise<Outcome> {
  const { folder, synchronous, count, say } = options;
  const system = await startSystem(folder, synchronous, options.start);
  // Background programs would outlive the drill.
  const interrupt = (): void => void system.stop().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const journal = openJournal(path.join(folder, "journal.jsonl"));
  const receiver = await startReceiver();
  const reader = startEventReader(system);
  const load = startLoad(system, journal, receiver.address);
  const struck: Struck[] = [];
  const unhealed: string[] = [];
  let sentAgain = 0;
  try {
    for (const strike of shuffled(Array.from({ length: count }, () => options.strikes).flat())) {
      await delay(1_000 + Math.random() * QUIET_MS);
      const from = performance.now();
      try {
        await strike.hit(system.cluster);
        await system.cluster.healed();
      } catch (error) {
        // The drill continues: the checks after it count as well.
        unhealed.push(`${strike.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      await delay(SERVED_MS);
      const outageMs = longestGap(journal.acknowledgedAt, from, performance.now());
      struck.push({ name: strike.name, outageMs });
      say(
        `${struck.length}. ${strike.name}: nothing was acknowledged for ${(outageMs / 1_000).toFixed(1)} s`,
      );
    }
    await load.end();
    // With asynchronous replication the cluster may not recover at all: that is a finding, and the drill continues.
    await system.cluster.healed().catch((error: unknown) => {
      unhealed.push(`after all: ${error instanceof Error ? error.message : String(error)}`);
    });
    const url = system.superuserUrl(system.cluster.directPort);
    const last = await sendAgain(journal);
    sentAgain += last.count;
    const checks = [
      { name: "after each strike one leads and the others follow, the old primary too", faults: unhealed },
      { name: `each call without an answer, sent again (${sentAgain} times), has one`, faults: last.faults },
      await keysOnce(journal, url),
      await proofHolds(url),
      await webhooksArrive(receiver, url),
    ];
    await reader.end();
    checks.push(await eventsInOrder(reader, system, url), await serversAgree(system));
    const wishes = KINDS.map((kind) => ({
      kind,
      count: journal.wishes.filter((wish) => wish.kind === kind).length,
    }));
    return { synchronous, struck, checks, wishes };
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await load.end();
    journal.close();
    receiver.close();
    await system.stop();
  }
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
