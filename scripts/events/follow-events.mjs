import { setTimeout as sleep } from "node:timers/promises";
import { createPayClient, TillgateApiError } from "@tillgate/client";
import { CommandError } from "./command.mjs";

/** How long one request waits for an event, in seconds. */
const WAIT_SECONDS = 25;
const PER_REQUEST = 100;
/** The first wait after a lost connection; it doubles up to the longest, in milliseconds. */
const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 10_000;

/**
 * Follows a merchant's events from now on, until the signal. The place it has reached is the api's own, so a lost
 * connection, or an api that is started again, costs nothing and repeats nothing.
 * @param {{ ready(): void, event(event: object): Promise<void>, lost(why: string): void, back(): void }} told
 * @throws CommandError when the api refuses for good: a wrong key, a suspended account.
 */
export async function followEvents({ api, mode, clientId, clientSecret, types }, told, signal) {
  const { events } = createPayClient({ baseUrl: api, mode, clientId, clientSecret, maxRetries: 0 });
  let after = "now";
  let retryMs = FIRST_RETRY_MS;
  let lost = false;
  let started = false;
  while (!signal.aborted) {
    let page;
    try {
      // The first request answers at once: it tells whether the key is right.
      const wait = started && !lost ? WAIT_SECONDS : 0;
      page = await events.list({ after, types, wait, per_page: PER_REQUEST }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      refuseForGood(error, api, started);
      if (!lost) told.lost(error.message);
      lost = true;
      await sleep(waitMs(error, retryMs), undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      continue;
    }
    if (!started) told.ready();
    if (lost) told.back();
    started = true;
    lost = false;
    retryMs = FIRST_RETRY_MS;
    for (const event of page.events) {
      if (signal.aborted) return;
      await told.event(event);
    }
    after = page.next;
  }
}

/** How long to wait after a failure: what the api asks for, when it does. */
const waitMs = (error, retryMs) =>
  error instanceof TillgateApiError && error.retryAfterMs !== null ? error.retryAfterMs : retryMs;

/** What waiting would not mend; before the first answer that is everything but a rate limit. */
function refuseForGood(error, api, started) {
  if (error instanceof TillgateApiError) {
    if (error.status === 429 || error.status >= 500) return;
    const hint = error.status === 401 ? " Are client id, client secret and --mode right?" : "";
    throw new CommandError(`The api refuses (${error.status}): ${error.messages.join(" ")}${hint}`);
  }
  if (!started)
    throw new CommandError(`The api at ${api} does not answer: ${error.message}. Is npm start running?`);
}
