import { rawKey, signWebhook } from "@tillgate/webhooks";

/** As long as a delivery may take, in milliseconds. */
const TIMEOUT_MS = 15_000;

/**
 * Posts an event to an address of this machine, with the bytes and the headers of a delivery to an order's callback_url.
 * It is sent once.
 * @returns {Promise<string>} the outcome, in a few words.
 */
export async function forwardEvent({ forward, clientSecret }, { id, event, body }, signal) {
  const started = performance.now();
  const headers = signWebhook({
    id,
    event,
    body,
    timestampSeconds: Math.floor(Date.now() / 1_000),
    keys: [rawKey(clientSecret)],
  });
  const took = () => `${Math.round(performance.now() - started)} ms`;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(forward, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([timeout, signal]),
    });
    await answer.body?.cancel();
    const failed = answer.ok ? "" : ", a failure: only 2xx counts as received";
    return `${answer.status} in ${took()}${failed}`;
  } catch (error) {
    if (signal.aborted) return "stopped before the answer";
    if (timeout.aborted) return `no answer within ${TIMEOUT_MS / 1_000} s`;
    const code = error?.cause?.code;
    if (code === "ECONNREFUSED") return `nothing listens at ${forward}: is your server running?`;
    return `not sent: ${error?.cause?.message || error?.message || String(error)}`;
  }
}
