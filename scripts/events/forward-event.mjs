import { rawKey, signWebhook } from "@tillgate/webhooks";

/** The API's timeout for a delivery attempt. */
const TIMEOUT_MS = 15_000;

/**
 * Posts an event once to a local URL, with the body and headers of a delivery to an order's callback_url.
 * @returns {Promise<string>} the outcome, for display
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
  const formatElapsed = () => `${Math.round(performance.now() - started)} ms`;
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(forward, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([timeout, signal]),
    });
    await response.body?.cancel();
    const failed = response.ok ? "" : ", failed: only 2xx counts as received";
    return `${response.status} in ${formatElapsed()}${failed}`;
  } catch (error) {
    if (signal.aborted) return "stopped before the response";
    if (timeout.aborted) return `no response within ${TIMEOUT_MS / 1_000} s`;
    const code = error?.cause?.code;
    if (code === "ECONNREFUSED") return `connection refused by ${forward}. Is your server running?`;
    return `not sent: ${error?.cause?.message || error?.message || String(error)}`;
  }
}
