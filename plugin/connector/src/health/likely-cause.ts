import { TillgateApiError, TillgateConnectionError, TillgateResponseError } from "@tillgate/client";
import { ConnectorError } from "../connector-error.js";
import { RecordsUnavailable } from "../records/records-unavailable.js";
import { StoreError, type StoreFailure } from "../store/store-access.js";

/** `cause` is a metrics label, and `hint` is a remedy for the operator. */
export type LikelyCause = {
  cause: string;
  hint: string;
};

const STORE_CAUSES: Record<StoreFailure, string> = {
  unreachable: "The shop cannot be reached. Check its address, its server, and any firewall in between.",
  timeout:
    "The shop took too long to respond. Ask its hosting provider why, or raise timeout_seconds in CONNECTOR_STORES.",
  certificate:
    "The shop’s TLS certificate isn’t trusted. Renew it, or install the full certificate chain. For a private certificate authority, set NODE_EXTRA_CA_CERTS.",
  credentials:
    "The shop rejects the REST API keys. Check the consumer key and secret, and that the key has read/write permission.",
  password:
    "The shop’s web server asks for a password before WordPress. Remove that protection from /wp-json/.",
  blocked:
    "Something in front of WordPress blocks the REST API. Allow the connector’s address in the firewall or security plugin.",
  maintenance:
    "The shop is in maintenance mode or overloaded (HTTP 503). The connector resumes when the shop is available again.",
  redirect:
    "The shop redirects to another address. Use that address as the shop’s url; keys are never sent after a redirect.",
  rate_limit:
    "The shop limits how often it can be called. The connector waits; ask the hosting provider to raise the limit if this continues.",
  permalinks:
    "The shop’s REST API has no /wp-json URL because permalinks are set to Plain. In WordPress, choose Settings → Permalinks → Post name and save.",
  failed: "The shop responded with a server error (5xx). Check its error log.",
  refused: "The shop rejected the request. See its response below.",
  answer:
    "Something other than the shop’s REST API responded. Keep /wp-json/ out of caches and security plugins.",
};

/** Returns the likely cause of an error, without secrets. */
export function likelyCause(error: unknown): LikelyCause {
  if (error instanceof StoreError)
    return { cause: `store_${error.failure}`, hint: STORE_CAUSES[error.failure] };
  if (error instanceof ConnectorError) return { cause: error.code, hint: error.hint };
  if (error instanceof TillgateApiError) return tillgateCause(error.status);
  if (error instanceof TillgateConnectionError) {
    return {
      cause: "tillgate_unreachable",
      hint: "Tillgate cannot be reached. It may be down. Otherwise, check its URL and your firewall.",
    };
  }
  if (error instanceof TillgateResponseError) {
    return {
      cause: "tillgate_answer",
      hint: "The response isn’t from the Tillgate API. Check the Tillgate URL.",
    };
  }
  if (error instanceof RecordsUnavailable) {
    return { cause: "records_unavailable", hint: "The connector’s database cannot be reached." };
  }
  return { cause: "internal", hint: "The connector or its database failed. See the connector’s log." };
}

function tillgateCause(status: number): LikelyCause {
  if (status === 401 || status === 403) {
    return {
      cause: "tillgate_credentials",
      hint: "Tillgate rejects this shop’s API key. Check the client ID, client secret, mode and permissions, and whether the account is suspended.",
    };
  }
  if (status === 429)
    return {
      cause: "tillgate_rate_limit",
      hint: "Tillgate’s rate limit was reached. The connector retries automatically.",
    };
  if (status >= 500) return { cause: "tillgate_failed", hint: "Tillgate responded with a server error." };
  return { cause: "tillgate_refused", hint: "Tillgate rejected the request. See its response below." };
}

/** Keyed by the reason for the rejection. */
export const webhookRejectionCauses: Record<string, string> = {
  missing_header:
    "Webhooks arrive without Tillgate’s signature headers. They aren’t from Tillgate, or a proxy removes the headers.",
  foreign_secret:
    "Webhooks are signed with the secret of a different mode or client ID than their payment. Someone may be using an old secret: revoke it in Tillgate.",
  not_confirmed:
    "Webhooks are signed with a retired secret, and Tillgate doesn’t confirm them. Someone may be using an old secret: revoke it in Tillgate.",
  stale:
    "Webhooks are rejected as stale: they arrive too long after Tillgate signed them, or someone sends old ones again. If the connector has just started, check its clock too.",
  bad_signature:
    "Webhooks are rejected for their signature: they aren’t from Tillgate, or the client secret here isn’t the one of the API key that creates the payments. During a rotation, set previous_client_secret.",
};
