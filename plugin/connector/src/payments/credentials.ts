import { type PayClient, TillgateApiError } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import type { Credential, Payment } from "../records/records.js";
import type { StoreCredential } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** How an event is handled, depending on its signatures (`plugin/vectors/secrets.json`). */
export type SignerTrust =
  /** The event is applied as received. */
  | "act"
  /** The state is read from the API and applied. */
  | "confirm"
  /** The event is rejected. */
  | "reject";

/**
 * Decides whether to apply an event, confirm it with the API, or reject it. If the payment's credential is stored, only secrets of its mode
 * and client count. Events signed only with a retired secret, and events of payments without a stored credential, must be confirmed.
 * @param known the current credential, followed by retired ones
 */
export function evaluateSigners(
  known: readonly StoreCredential[],
  credential: Credential | null,
  isSignedBy: (secret: string) => boolean,
): SignerTrust {
  const signed = known.filter(
    (candidate) =>
      (credential === null || isSame(candidate, credential)) && isSignedBy(candidate.clientSecret),
  );
  if (signed.length === 0) return "reject";
  return credential !== null && signed.some((candidate) => candidate === known[0]) ? "act" : "confirm";
}

/**
 * Returns the client for a payment's credential.
 * @param credential null if none is stored with the payment; the client of the current credential is returned then
 * @throws ConnectorError `credential_gone` if the credential is no longer configured
 */
export function tillgateClient(context: ConnectorContext, credential: Credential | null): PayClient {
  const [current] = context.settings.credentials;
  if (credential === null || (current !== undefined && isSame(current, credential))) return context.tillgate;
  const configured = context.settings.credentials.find((candidate) => isSame(candidate, credential));
  const client = configured === undefined ? null : context.retiredTillgate(configured);
  if (client !== null) return client;
  throw new ConnectorError(
    "credential_gone",
    `The payment was started with client ID ${credential.clientId} (${credential.mode}), which is no longer configured in the connector.`,
  );
}

/** Returns the clients of all credentials, the current one first. @throws ConnectorError `credential_gone` if a retired credential has no client */
export const allClients = (context: ConnectorContext): ReadonlySet<PayClient> =>
  new Set(context.settings.credentials.map((credential) => tillgateClient(context, credential)));

/** Whether Tillgate rejected a retired key. Callers then skip the payments of that key and continue with the other payments. */
export const isRetiredKeyRejected = (
  { tillgate }: ConnectorContext,
  client: PayClient,
  error: unknown,
): boolean =>
  client !== tillgate && error instanceof TillgateApiError && (error.status === 401 || error.status === 403);

export function hasClient(context: ConnectorContext, { credential }: Pick<Payment, "credential">): boolean {
  return (
    credential === null || context.settings.credentials.some((candidate) => isSame(candidate, credential))
  );
}

/** Also returns true if the payment's credential was not stored. */
export const isCurrentCredential = (
  { settings }: ConnectorContext,
  { credential }: Pick<Payment, "credential">,
): boolean => credential === null || isSame(credential, settings.credentials[0]);

const isSame = (candidate: Credential, expected: Credential): boolean =>
  candidate.mode === expected.mode && candidate.clientId === expected.clientId;
