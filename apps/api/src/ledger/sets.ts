import { atTracePlace, spanned, type TracePlace, tracePlace } from "@tillgate/service/tracing";
import { isFailover, isUnavailable } from "@tillgate/service/unavailable";
import type { Context } from "../context.js";
import { UnavailableError } from "../platform/availability.js";
import { codeOf } from "./refusals.js";

/** Items of one set. */
export const MAX_ITEMS = 64;
/** Items of one lane that may wait; one more is refused at once. */
export const MAX_WAITING = 512;
/** A set that takes longer, in milliseconds, holds nobody back any more: neither the next set nor its lanes. */
const HOLDS_BACK_MS = 100;
/** How long a lane's items go alone after one that did not fit, in milliseconds. */
const ALONE_MS = 3_000;
/** The database undid these for good: a deadlock, a serialization failure, a lock that was not free in time. */
const UNDONE = ["40P01", "40001", "55P03"];

/**
 * When writes go together: as soon as others wait (`crowded`), `never`, or `always`, a set of one too (which shows that both
 * ways answer the same).
 */
export type SetMode = "crowded" | "never" | "always";

/** A write that many may ask for at the same moment, and how several of them become one transaction. */
export type SetWork<Item, Done> = {
  /** Whose items go one set after the other: they would wait for each other's locks. */
  laneOf: (item: Item) => string;
  /** What only one item of a set may name: an idempotency key, a reference, a quote, an order. */
  claimsOf: (item: Item) => string[];
  /** Whether an item names itself by an idempotency key: when nobody knows whether its set was committed, it is asked for again. */
  isKeyed?: (item: Item) => boolean;
  /**
   * Does all of them, or nothing. It decides no refusal: an item that it leaves undefined, or names as a misfit, goes alone.
   * @returns what was done, in the order of the items.
   * @throws MisfitsError
   */
  together: (context: Context, items: readonly Item[]) => Promise<readonly (Done | undefined)[]>;
  /** Does one, or refuses it. */
  alone: (context: Context, item: Item) => Promise<Done>;
};

/** Some items do not fit a set. Nothing of the set was written. */
export class MisfitsError extends Error {
  override readonly name = "MisfitsError";
  /** @param items those that do not fit; the others may go together again. */
  constructor(readonly items: ReadonlySet<unknown>) {
    super(`${items.size} items do not fit their set`);
  }
}

/**
 * Does one item: alone, or together with others that came meanwhile.
 * @throws what `work.alone` throws; UnavailableError when too many of its lane wait.
 */
export function inSets<Item, Done>(context: Context, work: SetWork<Item, Done>, item: Item): Promise<Done> {
  const { setQueues } = context.memory;
  const known = setQueues.get(work) as ((item: Item) => Promise<Done>) | undefined;
  const queue = known ?? createQueue(context, work, context.config);
  if (!known) setQueues.set(work, queue);
  return queue(item);
}

/**
 * A row for each item of a set, out of a statement's first arguments: one array for each column. The arrays come through
 * sub-selects, so that the planner does not count their elements: to it a set of one costs what a set of 64 costs, and
 * PostgreSQL keeps one plan for the statement's name. Otherwise it plans again at every call, which took six times as long
 * as the read of a checkout itself.
 * @param types of the elements, `uuid` for `uuid[]`, in the order of the arguments.
 */
export const unnestArguments = (types: readonly string[]): string =>
  `unnest(${types.map((type, at) => `(SELECT $${at + 1}::${type}[])`).join(", ")})`;

type Waiting<Item, Done> = {
  item: Item;
  resolve: (done: Done | Promise<Done>) => void;
  reject: (error: unknown) => void;
  /** Where its caller stands, for a trace. */
  place: TracePlace;
};
type Lane<Item, Done> = { waiting: Waiting<Item, Done>[]; busy: boolean; aloneUntil: number };

/**
 * The queue of one kind of work in one process. What arrives while sets are under way goes into the next one: there is no
 * timer, so a single caller never waits. A set takes from its lanes in turn.
 * @returns does one item, alone or together with others. It throws what `alone` throws, and UnavailableError when too many of
 * the item's lane wait.
 */
export function createQueue<Item, Done>(
  context: Context,
  work: SetWork<Item, Done>,
  { sets: mode, setsAtOnce }: { sets: SetMode; setsAtOnce: number },
): (item: Item) => Promise<Done> {
  /** In the order of their turns. */
  const lanes = new Map<string, Lane<Item, Done>>();
  let underWay = 0;

  const alone = (one: Waiting<Item, Done>): Promise<void> =>
    atTracePlace(one.place, () => work.alone(context, one.item)).then(one.resolve, one.reject);

  function laneOf(item: Item): Lane<Item, Done> {
    const key = work.laneOf(item);
    const known = lanes.get(key);
    if (known) return known;
    const lane = { waiting: [], busy: false, aloneUntil: 0 };
    lanes.set(key, lane);
    return lane;
  }

  /**
   * The lanes of the next set. When more waits than one set holds, a set takes its part of all lanes at most: one that took a bit
   * of each would leave the other sets nothing to do until it ends.
   */
  function nextLanes(): Lane<Item, Done>[] {
    const active = [...lanes.values()].filter(({ busy, waiting }) => busy || waiting.length > 0);
    const free = active.filter(({ busy, waiting }) => !busy && waiting.length > 0);
    const items = free.reduce((sum, { waiting }) => sum + waiting.length, 0);
    return items > MAX_ITEMS ? free.slice(0, Math.ceil(active.length / setsAtOnce)) : free;
  }

  /** The next set: of each of its lanes its share, then what else fits. */
  function take(): Waiting<Item, Done>[] {
    const free = nextLanes();
    const share = Math.max(1, Math.floor(MAX_ITEMS / Math.max(1, free.length)));
    const taken: Waiting<Item, Done>[] = [];
    const claimed = new Set<string>();
    const takeFrom = (lane: Lane<Item, Done>, most: number): void => {
      const left: Waiting<Item, Done>[] = [];
      let took = 0;
      for (const one of lane.waiting) {
        const claims = took < most && taken.length < MAX_ITEMS ? work.claimsOf(one.item) : undefined;
        if (claims === undefined || claims.some((claim) => claimed.has(claim))) {
          left.push(one);
          continue;
        }
        for (const claim of claims) claimed.add(claim);
        taken.push(one);
        took += 1;
      }
      lane.waiting = left;
    };
    for (const lane of free) takeFrom(lane, share);
    for (const lane of free) takeFrom(lane, MAX_ITEMS);
    // Those that had their turn go behind the others.
    for (const { item } of taken) {
      const lane = laneOf(item);
      lanes.delete(work.laneOf(item));
      lanes.set(work.laneOf(item), lane);
    }
    return taken;
  }

  function pump(): void {
    while (underWay < setsAtOnce) {
      const set = take();
      if (set.length === 0) return;
      void start(set);
    }
  }

  async function start(set: Waiting<Item, Done>[]): Promise<void> {
    const taken = new Set(set.map(({ item }) => laneOf(item)));
    for (const lane of taken) lane.busy = true;
    underWay += 1;
    let holding = true;
    const release = (): void => {
      if (!holding) return;
      holding = false;
      underWay -= 1;
      for (const lane of taken) lane.busy = false;
    };
    const late = setTimeout(() => {
      release();
      pump();
    }, HOLDS_BACK_MS);
    await (set.length === 1 && set[0] && mode !== "always" ? alone(set[0]) : together(set));
    clearTimeout(late);
    release();
    for (const { item } of set) forget(work.laneOf(item));
    pump();
  }

  async function together(set: Waiting<Item, Done>[]): Promise<void> {
    try {
      const places = set.map(({ place }) => place);
      const items = set.map(({ item }) => item);
      // In the trace of the first, with links to the others.
      const done = await atTracePlace(places[0] ?? tracePlace(), () =>
        spanned("set", { links: places.slice(1), attributes: { "tillgate.set_size": set.length } }, () =>
          work.together(context, items),
        ),
      );
      for (const [at, one] of set.entries()) {
        const answer = done[at];
        if (answer === undefined) void alone(one);
        else one.resolve(answer);
      }
    } catch (error) {
      const misfits = error instanceof MisfitsError && set.filter(({ item }) => error.items.has(item));
      if (misfits && misfits.length > 0) return separate(set, misfits);
      // It is unknown whether the set was committed, as it would be of one item: a key tells, when its item is asked for again.
      const unknown = isUnavailable(error) && !UNDONE.includes(codeOf(error) ?? "");
      const again = isFailover(error) ? work.isKeyed : undefined;
      for (const one of set) {
        if (unknown && !again?.(one.item)) one.reject(error);
        else void patiently(one);
      }
    }
  }

  /** Those named go alone, like all of their lanes for a while; the others go again, before those who came later. */
  function separate(set: Waiting<Item, Done>[], misfits: Waiting<Item, Done>[]): void {
    for (const one of set.toReversed()) {
      const lane = laneOf(one.item);
      if (misfits.includes(one)) {
        lane.aloneUntil = performance.now() + ALONE_MS;
        void alone(one);
      } else lane.waiting.unshift(one);
    }
  }

  /** Does one alone; if it has to wait, or fails, so would the next sets of its lane. */
  async function patiently(one: Waiting<Item, Done>): Promise<void> {
    const startedAt = performance.now();
    const failed = await atTracePlace(one.place, () => work.alone(context, one.item)).then(
      (done) => one.resolve(done),
      (error: unknown) => {
        one.reject(error);
        return true;
      },
    );
    const now = performance.now();
    if (failed || now - startedAt > HOLDS_BACK_MS) laneOf(one.item).aloneUntil = now + ALONE_MS;
  }

  function forget(key: string): void {
    const lane = lanes.get(key);
    if (lane && !lane.busy && lane.waiting.length === 0 && lane.aloneUntil <= performance.now())
      lanes.delete(key);
  }

  return (item) => {
    if (mode === "never") return work.alone(context, item);
    const lane = laneOf(item);
    if (performance.now() < lane.aloneUntil) return work.alone(context, item);
    if (lane.waiting.length >= MAX_WAITING)
      return Promise.reject(new UnavailableError("too many calls of one merchant wait"));
    return new Promise<Done>((resolve, reject) => {
      lane.waiting.push({ item, resolve, reject, place: tracePlace() });
      pump();
    });
  };
}
