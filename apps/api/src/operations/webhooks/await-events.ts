import { setTimeout as sleep } from "node:timers/promises";
import type { ListEventsQuery } from "@tillgate/contract";
import type { Context } from "../../context.js";
import type { Client } from "../../credentials/authenticate-client.js";
import type { Listener } from "../../notifications/listener.js";
import { type EventPage, listEvents } from "./list-events.js";

/** How often a waiting list looks when no hint wakes it, in milliseconds: hints may be lost. */
const POLL_MS = 500;
/** The pause after each look, in milliseconds: a busy system sends hints all the time. */
const REST_MS = 100;
/** How many lists of one merchant and mode may wait in one process. Further ones answer at once. */
export const MAX_WAITING = 20;

/**
 * Takes a place among the waiting lists of a merchant.
 * @returns the call that gives it back, or null when all are taken.
 */
function takePlace(waiting: Map<string, number>, { merchantId, mode }: Client): (() => void) | null {
  const key = `${mode} ${merchantId}`;
  const taken = waiting.get(key) ?? 0;
  if (taken >= MAX_WAITING) return null;
  waiting.set(key, taken + 1);
  return () => {
    const left = (waiting.get(key) ?? 1) - 1;
    if (left > 0) waiting.set(key, left);
    else waiting.delete(key);
  };
}

/** Ends early and quietly when the signal says so. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);

/**
 * Lists events and, when there are none, waits up to `query.wait` seconds for one.
 * @param gone ends the wait: the caller has left.
 */
export async function awaitEvents(
  context: Context,
  listener: Listener,
  client: Client,
  { query, gone }: { query: ListEventsQuery; gone: AbortSignal },
): Promise<EventPage> {
  const giveBack = query.wait > 0 ? takePlace(context.memory.waitingLists, client) : null;
  if (!giveBack) return listEvents(context, client, query);
  const endsAt = performance.now() + query.wait * 1_000;
  let hint = new AbortController();
  const unsubscribe = listener.onAnything(() => hint.abort());
  try {
    let after = query.after;
    for (;;) {
      hint = new AbortController();
      const page = await listEvents(context, client, { ...query, after });
      const leftMs = endsAt - performance.now();
      if (page.events.length > 0 || leftMs <= 0 || gone.aborted) return page;
      after = page.next;
      await rest(Math.min(REST_MS, leftMs), gone);
      await rest(Math.max(0, Math.min(POLL_MS, leftMs) - REST_MS), AbortSignal.any([gone, hint.signal]));
    }
  } finally {
    unsubscribe();
    giveBack();
  }
}
