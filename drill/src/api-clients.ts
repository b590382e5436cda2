import { createPartnerClient, createPayClient } from "@tillgate/client";
import type { SandboxDescription } from "@tillgate/database/seed";

/** A client's timeout, in milliseconds. */
export const TIMEOUT_MS = 4_000;
/** Pause of a client after a call without a response, in milliseconds. */
export const PAUSE_AFTER_NONE_MS = 250;
/** How long a lookup token is used, in milliseconds: it is valid for ten minutes. */
export const LOOKUP_LIFE_MS = 5 * 60_000;
/** Each call is sent once: retries are the drill's own, never the library's. */
const ONCE = { maxRetries: 0, timeoutMs: TIMEOUT_MS, mode: "sandbox" as const };

/** A merchant's clients for one HTTP process of the API. */
export type ApiClients = {
  baseUrl: string;
  pay: ReturnType<typeof createPayClient>;
  partner: ReturnType<typeof createPartnerClient>;
};

/** Creates a merchant's clients for each HTTP process. @returns a function that returns the clients of the processes in turn. */
export function createApiClients(
  origins: readonly string[],
  { client_id: clientId, client_secret: clientSecret, api_token: apiToken }: SandboxDescription["merchant"],
): () => ApiClients {
  const all = origins.map((baseUrl) => ({
    baseUrl,
    pay: createPayClient({ ...ONCE, baseUrl, clientId, clientSecret }),
    partner: createPartnerClient({ ...ONCE, baseUrl, apiToken }),
  }));
  let turn = 0;
  return () => {
    turn += 1;
    const next = all[turn % all.length];
    if (!next) throw new Error("the list of API processes is empty");
    return next;
  };
}
