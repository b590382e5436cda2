import { setTimeout as sleep } from "node:timers/promises";
import { createPayClient, TillgateApiError } from "@tillgate/client";
import { CommandError } from "./command.mjs";

/** Duration of one long poll. */
const WAIT_SECONDS = 25;
const PAGE_SIZE = 100;
/** The delay after a lost connection doubles each time. */
const MIN_RETRY_DELAY_MS = 250;
const MAX_RETRY_DELAY_MS = 10_000;

/**
 * Follows a merchant's new events until the signal is aborted. After the first response, resumes from the API's cursor, so a lost connection or a
 * restarted API neither skips nor repeats events.
 * @param {{ ready(): void, event(event: object): Promise<void>, lost(reason: string): void, back(): void }} handlers
 * @throws CommandError for an error that a retry cannot fix (a wrong key, a suspended account), or if the API cannot be reached at first.
 */
export async function followEvents({ api, mode, clientId, clientSecret, types }, handlers, signal) {
  const { events } = createPayClient({ baseUrl: api, mode, clientId, clientSecret, maxRetries: 0 });
  let after = "now";
  let retryMs = MIN_RETRY_DELAY_MS;
  let disconnected = false;
  let started = false;
  while (!signal.aborted) {
    let page;
    try {
      // The first request does not wait, so that a wrong key is reported immediately.
      const wait = started && !disconnected ? WAIT_SECONDS : 0;
      page = await events.list({ after, types, wait, per_page: PAGE_SIZE }, { signal });
    } catch (error) {
      if (signal.aborted) return;
      throwIfPermanent(error, api, started);
      if (!disconnected) handlers.lost(error.message);
      disconnected = true;
      await sleep(retryDelayMs(error, retryMs), undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_DELAY_MS);
      continue;
    }
    if (!started) handlers.ready();
    else if (disconnected) handlers.back();
    started = true;
    disconnected = false;
    retryMs = MIN_RETRY_DELAY_MS;
    for (const event of page.events) {
      if (signal.aborted) return;
      await handlers.event(event);
    }
    after = page.next;
  }
}

const retryDelayMs = (error, retryMs) =>
  error instanceof TillgateApiError && error.retryAfterMs !== null ? error.retryAfterMs : retryMs;

/**
 * Throws if a retry cannot help. @throws CommandError for client errors other than rate limits, and for connection errors before the first response.
 */
function throwIfPermanent(error, api, started) {
  if (error instanceof TillgateApiError) {
    if (error.status === 429 || error.status >= 500) return;
    const hint = error.status === 401 ? " Check the client ID, client secret and --mode." : "";
    throw new CommandError(
      `The API rejected the request (${error.status}): ${error.messages.join(" ")}${hint}`,
    );
  }
  if (!started)
    throw new CommandError(`The API at ${api} is not reachable: ${error.message}. Is npm start running?`);
}
