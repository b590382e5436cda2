/**
 * What is likely the matter with an address that takes no webhooks, in one sentence for its owner. The api says them in English; the
 * console has words of its own for each, by its name.
 */
export const LIKELY_CAUSES = {
  dns: "The host name does not resolve. Is it spelled right, and does its DNS record still exist?",
  tls: "No secure connection: is the certificate valid, complete, and made for this host name?",
  timeout: "The receiver does not answer in time. Answer 2xx first, and do slow work afterwards.",
  redirect: "The receiver redirects, which is not followed. Enter the address that it redirects to.",
  refused_address:
    "The address is not on the public internet, or is not one that this mode delivers to (live: https on ports 80 and 443; sandbox: ports 80, 443 and from 1024).",
  html_response:
    "A web page answered in place of the webhook receiver: a maintenance page, a login or another site. The event was not delivered and is sent again.",
  connection: "No connection, or it broke off: is the server running, and does its firewall let us in?",
  no_key: "There is no active client secret left to sign with. Create a credential.",
  status_400: "The receiver refuses the body. Does it expect the JSON of these events?",
  status_401:
    "The receiver refuses our signature: is the secret the current one, and is the raw body verified?",
  status_403:
    "The receiver refuses us: is the secret the current one, and does a firewall or login stand before it?",
  status_404: "There is nothing at this address: is the path right, and is the plugin or route active?",
  status_405: "The address does not take POST: is the path right?",
  status_410: "The receiver says that it is gone for good.",
  status_413: "The receiver finds the body too large: its limit is below a few KiB.",
  status_415: "The receiver does not take application/json.",
  status_429:
    "The receiver has too many requests. It should answer webhooks without a rate limit, or with a higher one.",
  server_error: "The receiver has an error of its own ({status}): its log says more.",
  other_status: "The receiver answers {status} instead of 2xx.",
  no_status: "The receiver answers something instead of 2xx.",
  /** Said after another one. */
  web_page: "It answers with a web page: the address may belong to a website instead of a webhook receiver.",
} as const;

export type LikelyCause = keyof typeof LIKELY_CAUSES;

/** The name of a text of {@link LIKELY_CAUSES}. */
export const isLikelyCause = (name: string): name is LikelyCause => Object.hasOwn(LIKELY_CAUSES, name);
