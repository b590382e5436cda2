import { timingSafeEqual } from "node:crypto";
import { type Mode, Refusal } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Context } from "../context.js";
import type { ResolvedCredential } from "../memory.js";
import { OperationError } from "../operation-error.js";
import { countFailedSecret } from "./count-failed-secret.js";
import { noteUse } from "./last-used.js";
import { resolveCredentials } from "./resolve-credential.js";

/** A caller of the Pay API: a merchant, in one mode, by one credential. */
export type Client = { merchantId: string; credentialId: string; mode: Mode };

/** Whose orders, refunds and payouts: nothing of another merchant or mode is ever found. */
export type MerchantScope = Pick<Client, "merchantId" | "mode">;

/** Limit and permissions of a caller. */
export type CallerTerms = {
  /** Null: the default. */
  requestsAMinute: number | null;
  readOnly: boolean;
  orderOnly: boolean;
  /** Whether test controls of the sandbox apply. */
  controlled: boolean;
};

/** A client and its terms. */
export type LimitedClient = Client & CallerTerms;

/** Longer than any issued client id; a longer one is unknown. */
const MAX_CLIENT_ID_LENGTH = 255;

/** Compared where there is no secret, so that an unknown client id takes as long as a wrong secret. */
const NO_SECRET = Buffer.alloc(32);
/** A client id has one secret, and two during a rotation. */
const MAX_SECRETS = 2;

/** The credential that has this secret; all are compared, in constant time. */
function credentialOf(
  candidates: ResolvedCredential[],
  secretHash: Uint8Array,
): ResolvedCredential | undefined {
  let found: ResolvedCredential | undefined;
  for (let i = 0; i < MAX_SECRETS; i++) {
    const candidate = candidates[i];
    if (timingSafeEqual(secretHash, candidate?.secretHash ?? NO_SECRET)) found = candidate;
  }
  return found;
}

async function findCredential(
  context: Context,
  clientId: string,
  secretHash: Uint8Array,
  fresh: boolean,
): Promise<ResolvedCredential | undefined> {
  const known = clientId.length <= MAX_CLIENT_ID_LENGTH;
  const candidates = known ? await resolveCredentials(context, "clientId", clientId, { fresh }) : [];
  return credentialOf(candidates, secretHash);
}

export const asClient = ({
  merchantId,
  id,
  mode,
  payRequestsAMinute,
  readOnly,
  orderOnly,
  controlled,
}: ResolvedCredential): LimitedClient => ({
  merchantId,
  credentialId: id,
  mode,
  requestsAMinute: payRequestsAMinute,
  readOnly,
  orderOnly,
  controlled,
});

/**
 * Finds the merchant behind a client id and secret.
 * @param input.clientAddress where the call comes from: failures count against it.
 * @throws OperationError InvalidCredentials (one answer for unknown and wrong), or TooManyRequests after many of them;
 * only after the secret proved right: WrongMode or MerchantSuspended.
 */
export async function authenticateClient(
  context: Context,
  input: { clientId: string; clientSecret: string; mode: Mode; clientAddress: string },
): Promise<LimitedClient> {
  const { clientId, clientAddress } = input;
  const secretHash = hashSecret(input.clientSecret);
  const credential =
    (await findCredential(context, clientId, secretHash, false)) ??
    (await findCredential(context, clientId, secretHash, true));
  if (!credential) {
    await countFailedSecret(context, { clientAddress, clientId });
    throw new OperationError(Refusal.InvalidCredentials);
  }
  if (credential.mode !== input.mode) throw new OperationError(Refusal.WrongMode, { mode: credential.mode });
  if (credential.suspended) throw new OperationError(Refusal.MerchantSuspended);
  await noteUse(context, credential, clientAddress);
  return asClient(credential);
}
