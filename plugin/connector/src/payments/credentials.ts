import type { PayClient } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import type { Credential, Payment } from "../records/records.js";
import type { StoreCredential } from "../settings.js";
import type { ConnectorContext } from "./context.js";

/** What the secrets that signed a delivery prove of a payment (`plugin/vectors/secrets.json`). */
export type Proof =
  /** The event acts unchanged. */
  | "act"
  /** Only the API's own state acts. */
  | "confirm"
  /** Nothing of this payment. */
  | "refuse";

/**
 * A secret proves an event of its own mode and client only. A retired one proves only that it is worth asking the API (wire
 * contract, section 8, retired secrets).
 * @param known the credential in use first; those after it are retired
 * @param credential the one that the payment was begun with; null where that was not kept
 */
export function proofOf(
  known: readonly StoreCredential[],
  credential: Credential | null,
  isSignedBy: (secret: string) => boolean,
): Proof {
  const signed = known.filter(
    (one) => (credential === null || isSame(one, credential)) && isSignedBy(one.clientSecret),
  );
  if (signed.length === 0) return "refuse";
  return credential !== null && signed.some((one) => one === known[0]) ? "act" : "confirm";
}

/**
 * The client that reaches the payments of a credential.
 *
 * @param credential null where it was not kept: then it is the one in use
 * @throws ConnectorError `credential_gone`
 */
export function tillgateOf(context: ConnectorContext, credential: Credential | null): PayClient {
  const [current] = context.settings.credentials;
  if (credential === null || (current !== undefined && isSame(current, credential))) return context.tillgate;
  const kept = context.settings.credentials.find((one) => isSame(one, credential));
  const client = kept === undefined ? null : context.retiredTillgate(kept);
  if (client !== null) return client;
  throw new ConnectorError(
    "credential_gone",
    `The payment was begun with the client id ${credential.clientId} (${credential.mode}), which the connector does not have any more.`,
  );
}

/** Whether the payment can still be asked about. */
export function isReachable(context: ConnectorContext, { credential }: Pick<Payment, "credential">): boolean {
  return credential === null || context.settings.credentials.some((one) => isSame(one, credential));
}

/** Whether a payment begun now would have the same credential; one that was not kept counts as it. */
export const isInUse = (
  { settings }: ConnectorContext,
  { credential }: Pick<Payment, "credential">,
): boolean => credential === null || isSame(credential, settings.credentials[0]);

const isSame = (one: Credential, other: Credential): boolean =>
  one.mode === other.mode && one.clientId === other.clientId;
