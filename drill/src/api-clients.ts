import { createPartnerClient, createPayClient } from "@tillgate/client";
import type { SandboxDescription } from "@tillgate/database/seed";

export const TIMEOUT_MS = 4_000;
export const PAUSE_AFTER_NONE_MS = 250;
/** Time for which a lookup token is reused. It is valid for ten minutes. */
export const LOOKUP_LIFE_MS = 5 * 60_000;
const ONCE = { maxRetries: 0, timeoutMs: TIMEOUT_MS, mode: "sandbox" as const };

export type ApiClients = {
  baseUrl: string;
  pay: ReturnType<typeof createPayClient>;
  partner: ReturnType<typeof createPartnerClient>;
};

/** Creates clients for each process. @returns a function that returns the clients of the next process, in turn. */
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
