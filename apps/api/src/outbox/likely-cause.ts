import { isWebPage } from "./is-web-page.js";

/** A failed attempt, as it is stored. */
export type Failure = {
  errorKind: string | null;
  httpStatus: number | null;
  /** The start of the answer, when it is known. */
  answerStart?: string | null | undefined;
};

/** Sentences by kind of error, for failures that the answer's status does not explain. */
const BY_KIND: Record<string, string> = {
  dns: "The host name does not resolve. Is it spelled right, and does its DNS record still exist?",
  tls: "No secure connection: is the certificate valid, complete, and made for this host name?",
  timeout: "The receiver does not answer in time. Answer 2xx first, and do slow work afterwards.",
  redirect: "The receiver redirects, which is not followed. Enter the address that it redirects to.",
  refused_address:
    "The address is not on the public internet, or is not one that this mode delivers to (live: https, ports 80 and 443).",
  connection: "No connection, or it broke off: is the server running, and does its firewall let us in?",
  no_key: "There is no active client secret left to sign with. Create a credential.",
};

/** Sentences by status. */
const BY_STATUS: Record<number, string> = {
  400: "The receiver refuses the body. Does it expect the JSON of these events?",
  401: "The receiver refuses our signature: is the secret the current one, and is the raw body verified?",
  403: "The receiver refuses us: is the secret the current one, and does a firewall or login stand before it?",
  404: "There is nothing at this address: is the path right, and is the plugin or route active?",
  405: "The address does not take POST: is the path right?",
  410: "The receiver says that it is gone for good.",
  413: "The receiver finds the body too large: its limit is below a few KiB.",
  415: "The receiver does not take application/json.",
  429: "The receiver has too many requests. It should answer webhooks without a rate limit, or with a higher one.",
};

/**
 * The likely cause of a failed attempt, as one sentence or two for the merchant.
 * @returns null for an attempt that did not fail.
 */
export function likelyCause({ errorKind, httpStatus, answerStart }: Failure): string | null {
  if (errorKind === null) return null;
  const byKind = BY_KIND[errorKind];
  if (byKind !== undefined) return byKind;
  const byStatus = BY_STATUS[httpStatus ?? 0];
  const page = isWebPage(answerStart)
    ? " It answers with a web page: the address may belong to a website instead of a webhook receiver."
    : "";
  if (byStatus !== undefined) return byStatus + page;
  const text =
    httpStatus !== null && httpStatus >= 500
      ? `The receiver has an error of its own (${httpStatus}): its log says more.`
      : `The receiver answers ${httpStatus ?? "something"} instead of 2xx.`;
  return text + page;
}
