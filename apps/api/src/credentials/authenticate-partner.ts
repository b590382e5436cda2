import { type Mode, Refusal } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import type { Context } from "../context.js";
import { OperationError } from "../operation-error.js";
import type { CallerTerms } from "./authenticate-client.js";
import { countFailedSecret } from "./count-failed-secret.js";
import { noteUse } from "./last-used.js";
import { resolveCredentials } from "./resolve-credential.js";

/** A caller of the Partner API: a merchant, in the token's mode. */
export type Partner = { merchantId: string; credentialId: string; mode: Mode };

/** A partner and its terms. */
export type LimitedPartner = Partner & CallerTerms;

/**
 * Finds the merchant behind an API token, by the token's hash; the token itself is never compared.
 * @param input.clientAddress where the call comes from: failures count against it.
 * @throws OperationError InvalidCredentials, or TooManyRequests after many of them; MerchantSuspended, PartnerApiDisabled.
 */
export async function authenticatePartner(
  context: Context,
  { token, clientAddress }: { token: string; clientAddress: string },
): Promise<LimitedPartner> {
  const hash = Buffer.from(hashSecret(token)).toString("base64");
  const [credential] = await resolveCredentials(context, "tokenHash", hash);
  if (!credential) {
    await countFailedSecret(context, { clientAddress });
    throw new OperationError(Refusal.InvalidCredentials);
  }
  if (credential.suspended) throw new OperationError(Refusal.MerchantSuspended);
  if (!credential.partnerApiEnabled) throw new OperationError(Refusal.PartnerApiDisabled);
  await noteUse(context, credential, clientAddress);
  const { merchantId, id, mode, partnerRequestsAMinute, readOnly, orderOnly, controlled } = credential;
  return {
    merchantId,
    credentialId: id,
    mode,
    requestsAMinute: partnerRequestsAMinute,
    readOnly,
    orderOnly,
    controlled,
  };
}
