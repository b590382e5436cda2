import {
  currentTraceContext,
  type TraceContext,
  withSpan,
  withTraceContext,
} from "@tillgate/service/tracing";
import { isFailover, isUnavailable } from "@tillgate/service/unavailable";
import type { Context } from "../context.js";
import { UnavailableError } from "../platform/availability.js";
import { getCode } from "./errors.js";

export const MAX_GROUP_SIZE = 64;
/** Queued items required to start a group within {@link CONCURRENT_AFTER_MS} of the previous group, because two small groups cost more than one. */
export const MIN_CONCURRENT_ITEMS = MAX_GROUP_SIZE / 2;
/** Maximum time that queued items wait for a running group of other partitions, in milliseconds. Most groups are done by then. */
export const CONCURRENT_AFTER_MS = 10;
/** Further items are rejected immediately. */
export const MAX_QUEUED_PER_PARTITION = 512;
/** Duration after which a running group no longer blocks the next group or its partitions, in milliseconds. */
const SLOW_GROUP_MS = 100;
/** How long a partition's items run ungrouped after one of them was rejected, or was slow or failed when retried alone, in milliseconds. */
const UNGROUPED_MS = 3_000;
/** Concurrent ungrouped items of a partition. */
export const MAX_SINGLES = 4;
/** Errors after which PostgreSQL has certainly rolled back: deadlock, serialization failure, lock timeout. */
const ROLLED_BACK_CODES = ["40P01", "40001", "55P03"];

/** `auto` groups writes as soon as several are queued. `always` groups even a single write, to test that both paths give the same results. */
export type GroupMode = "auto" | "never" | "always";

/** A write or read that concurrent callers request, and how several of them share one transaction or statement. */
export type GroupedWork<Item, Done> = {
  /** Items of one partition would wait for each other's locks, so only one running group may contain items of a partition. */
  partitionOf: (item: Item) => string;
  /** Keys that no two items of a group may share, such as an idempotency key, a reference, a quote or an order. */
  conflictKeysOf: (item: Item) => string[];
  /** Whether the item has an idempotency key, so that it is safe to run again if the commit's outcome is unknown. */
  isKeyed?: (item: Item) => boolean;
  /**
   * Writes or reads all items or none, and returns the results in the order of the items. Items that were rejected or have no result are processed
   * by `runOne` afterwards.
   * @throws RejectedItemsError
   */
  runGroup: (context: Context, items: readonly Item[]) => Promise<readonly (Done | undefined)[]>;
  runOne: (context: Context, item: Item) => Promise<Done>;
};

/** Some items cannot be written with the group. Nothing was written. */
export class RejectedItemsError extends Error {
  override readonly name = "RejectedItemsError";
  /** @param items the rejected items; other items can be grouped again. */
  constructor(readonly items: ReadonlySet<unknown>) {
    super(`a group was rejected because of ${items.size} of its items`);
  }
}

/**
 * Runs an item, in a group with concurrent items if possible.
 * @throws the errors of `work.runOne`; UnavailableError when the queue of the item's partition is full.
 */
export function runGrouped<Item, Done>(
  context: Context,
  work: GroupedWork<Item, Done>,
  item: Item,
): Promise<Done> {
  const { groupQueues } = context.memory;
  const existing = groupQueues.get(work) as ((item: Item) => Promise<Done>) | undefined;
  const queue = existing ?? createQueue(context, work, context.config);
  if (!existing) groupQueues.set(work, queue);
  return queue(item);
}

/**
 * Returns SQL that unnests the arrays $1, $2, and so on. The sub-selects hide the arrays' lengths, so that PostgreSQL caches one generic plan.
 * @param types the element type of each array: `uuid` for `uuid[]`.
 */
export const unnestArguments = (types: readonly string[]): string =>
  `unnest(${types.map((type, at) => `(SELECT $${at + 1}::${type}[])`).join(", ")})`;

type Queued<Item, Done> = {
  item: Item;
  resolve: (done: Done | Promise<Done>) => void;
  reject: (error: unknown) => void;
  span: TraceContext;
};
type Partition<Item, Done> = {
  queued: Queued<Item, Done>[];
  /** Whether a running group blocks the partition. A group that has become slow no longer does. */
  busy: boolean;
  ungroupedUntil: number;
  /** Waiting calls of ungrouped items. Only {@link MAX_SINGLES} run concurrently, because more would occupy the connection pool to wait for locks. */
  singles: (() => Promise<unknown>)[];
  runningSingles: number;
};

/** Creates a queue. Items that arrive in the same turn of the event loop, or while groups are running, form the next group. */
export function createQueue<Item, Done>(
  context: Context,
  work: GroupedWork<Item, Done>,
  { groupCommit: mode, concurrentGroups }: { groupCommit: GroupMode; concurrentGroups: number },
): (item: Item) => Promise<Done> {
  /** In the order in which they take turns. */
  const partitions = new Map<string, Partition<Item, Done>>();
  let running = 0;
  let isScheduled = false;
  /** Runs for {@link CONCURRENT_AFTER_MS} after each start of a group. */
  let startTimer: NodeJS.Timeout | undefined;

  /** Runs an item without a group. @returns whether the item succeeded. */
  const runAlone = async ({ item, span, resolve, reject }: Queued<Item, Done>): Promise<boolean> => {
    try {
      resolve(await withTraceContext(span, () => work.runOne(context, item)));
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  };

  function partitionFor(item: Item): Partition<Item, Done> {
    const key = work.partitionOf(item);
    const existing = partitions.get(key);
    if (existing) return existing;
    const partition = { queued: [], busy: false, ungroupedUntil: 0, singles: [], runningSingles: 0 };
    partitions.set(key, partition);
    return partition;
  }

  function runSingle(
    queued: Queued<Item, Done>,
    call: () => Promise<unknown> = () => runAlone(queued),
  ): void {
    const partition = partitionFor(queued.item);
    partition.singles.push(call);
    runNextSingle(partition, work.partitionOf(queued.item));
  }

  function runNextSingle(partition: Partition<Item, Done>, key: string): void {
    const call = partition.runningSingles < MAX_SINGLES ? partition.singles.shift() : undefined;
    if (!call) {
      forget(key);
      return;
    }
    partition.runningSingles += 1;
    void call().finally(() => {
      partition.runningSingles -= 1;
      runNextSingle(partition, key);
    });
  }

  /** Runs the partition's new items ungrouped for a while. */
  function ungroup(item: Item): void {
    const key = work.partitionOf(item);
    partitionFor(item).ungroupedUntil = performance.now() + UNGROUPED_MS;
    setTimeout(() => forget(key), UNGROUPED_MS + 1).unref();
  }

  /**
   * Returns the partitions of the next group; none if their items should wait for the running group. Leaves some partitions to concurrent groups if
   * more items are queued than fit into one group.
   */
  function nextPartitions(): Partition<Item, Done>[] {
    const active = [...partitions.values()].filter(({ busy, queued }) => busy || queued.length > 0);
    const free = active.filter(({ busy, queued }) => !busy && queued.length > 0);
    const items = free.reduce((sum, { queued }) => sum + queued.length, 0);
    if (running > 0 && startTimer && items < MIN_CONCURRENT_ITEMS) return [];
    return items > MAX_GROUP_SIZE ? free.slice(0, Math.ceil(active.length / concurrentGroups)) : free;
  }

  /** Takes an equal share of each partition's items, then as many other items as fit. */
  function takeGroup(): Queued<Item, Done>[] {
    const free = nextPartitions();
    const share = Math.max(1, Math.floor(MAX_GROUP_SIZE / Math.max(1, free.length)));
    const group: Queued<Item, Done>[] = [];
    const takenKeys = new Set<string>();
    const takeFrom = (partition: Partition<Item, Done>, limit: number): void => {
      const left: Queued<Item, Done>[] = [];
      let took = 0;
      for (const queued of partition.queued) {
        const keys =
          took < limit && group.length < MAX_GROUP_SIZE ? work.conflictKeysOf(queued.item) : undefined;
        if (keys === undefined || keys.some((key) => takenKeys.has(key))) {
          left.push(queued);
          continue;
        }
        for (const key of keys) takenKeys.add(key);
        group.push(queued);
        took += 1;
      }
      partition.queued = left;
    };
    for (const partition of free) takeFrom(partition, share);
    for (const partition of free) takeFrom(partition, MAX_GROUP_SIZE);
    // Partitions that had their turn go to the back.
    for (const { item } of group) {
      const partition = partitionFor(item);
      partitions.delete(work.partitionOf(item));
      partitions.set(work.partitionOf(item), partition);
    }
    return group;
  }

  /** Waits for the end of the event loop's turn, so that calls of the same turn share a group. */
  function scheduleGroups(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startGroups);
  }

  function startGroups(): void {
    isScheduled = false;
    while (running < concurrentGroups) {
      const group = takeGroup();
      if (group.length === 0) return;
      void runInSlot(group);
    }
  }

  async function runInSlot(group: Queued<Item, Done>[]): Promise<void> {
    const groupPartitions = new Set(group.map(({ item }) => partitionFor(item)));
    for (const partition of groupPartitions) partition.busy = true;
    running += 1;
    clearTimeout(startTimer);
    startTimer = setTimeout(() => {
      startTimer = undefined;
      scheduleGroups();
    }, CONCURRENT_AFTER_MS);
    let holding = true;
    const release = (): void => {
      if (!holding) return;
      holding = false;
      running -= 1;
      for (const partition of groupPartitions) partition.busy = false;
    };
    const late = setTimeout(() => {
      release();
      scheduleGroups();
    }, SLOW_GROUP_MS);
    let deliver: (() => void) | undefined;
    if (group.length === 1 && group[0] && mode !== "always") await runAlone(group[0]);
    else deliver = await runTogether(group);
    clearTimeout(late);
    release();
    for (const { item } of group) forget(work.partitionOf(item));
    // PostgreSQL works on the next group while this process sends the responses of the finished group.
    try {
      startGroups();
    } finally {
      deliver?.();
    }
  }

  /** @returns a function that resolves the items; undefined if the group failed. */
  async function runTogether(group: Queued<Item, Done>[]): Promise<(() => void) | undefined> {
    try {
      const spans = group.map(({ span }) => span);
      const items = group.map(({ item }) => item);
      // One span in the first caller's trace, linked to the traces of the other callers.
      const results = await withTraceContext(spans[0] ?? currentTraceContext(), () =>
        withSpan(
          "group commit",
          { links: spans.slice(1), attributes: { "tillgate.group_size": group.length } },
          () => work.runGroup(context, items),
        ),
      );
      return () => {
        for (const [at, queuedItem] of group.entries()) {
          const result = results[at];
          if (result === undefined) runSingle(queuedItem);
          else queuedItem.resolve(result);
        }
      };
    } catch (error) {
      const rejected =
        error instanceof RejectedItemsError && group.filter(({ item }) => error.items.has(item));
      if (rejected && rejected.length > 0) {
        separate(group, rejected);
        return undefined;
      }
      // The commit's outcome is unknown. Items with an idempotency key can be run again; other items fail, as they would alone.
      const unknown = isUnavailable(error) && !ROLLED_BACK_CODES.includes(getCode(error) ?? "");
      const again = isFailover(error) ? work.isKeyed : undefined;
      for (const queuedItem of group) {
        if (unknown && !again?.(queuedItem.item)) queuedItem.reject(error);
        // After a failover there are no locks to wait for.
        else if (again) void retryOne(queuedItem);
        else runSingle(queuedItem, () => retryOne(queuedItem));
      }
      return undefined;
    }
  }

  /** Runs rejected items alone and, for a while, also all other items of their partitions. Queues the rest of the group again, at the front. */
  function separate(group: Queued<Item, Done>[], rejected: Queued<Item, Done>[]): void {
    for (const queuedItem of group.toReversed())
      if (!rejected.includes(queuedItem)) partitionFor(queuedItem.item).queued.unshift(queuedItem);
    for (const queuedItem of rejected) {
      ungroup(queuedItem.item);
      runSingle(queuedItem);
    }
  }

  /** Retries an item alone. If it is slow or fails, the next groups probably would too, so its partition's items run ungrouped for a while. */
  async function retryOne(queued: Queued<Item, Done>): Promise<void> {
    const startedAt = performance.now();
    const succeeded = await runAlone(queued);
    if (!succeeded || performance.now() - startedAt > SLOW_GROUP_MS) ungroup(queued.item);
  }

  function forget(key: string): void {
    const partition = partitions.get(key);
    if (
      partition &&
      !partition.busy &&
      partition.queued.length + partition.singles.length + partition.runningSingles === 0 &&
      partition.ungroupedUntil <= performance.now()
    )
      partitions.delete(key);
  }

  return (item) => {
    if (mode === "never") return work.runOne(context, item);
    const partition = partitionFor(item);
    if (partition.queued.length + partition.singles.length >= MAX_QUEUED_PER_PARTITION)
      return Promise.reject(new UnavailableError("too many calls are queued for one merchant or order"));
    return new Promise<Done>((resolve, reject) => {
      const queued = { item, resolve, reject, span: currentTraceContext() };
      if (performance.now() < partition.ungroupedUntil) return runSingle(queued);
      partition.queued.push(queued);
      scheduleGroups();
    });
  };
}
