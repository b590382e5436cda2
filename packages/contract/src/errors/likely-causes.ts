/** Texts for the endpoint's owner. The API returns the English sentence; the console translates causes by name. */
export const LIKELY_CAUSES = {
  dns: "The host name doesn't resolve. Check the spelling and the DNS record.",
  tls: "No secure connection. Check that the certificate is valid, complete and issued for this host name.",
  timeout: "The endpoint took too long to respond. Respond with 2xx first and do slow work afterwards.",
  redirect: "The endpoint redirects, and redirects aren't followed. Enter the final URL.",
  refused_address:
    "The address isn't on the public internet, or isn't allowed in this mode (live: https on ports 80 and 443; sandbox: ports 80, 443 and 1024 or higher).",
  html_response:
    "A web page responded instead of your webhook endpoint: a maintenance page, a login or another site. This doesn't count as delivered.",
  connection:
    "No connection, or the connection dropped. Check that the server is running and that its firewall lets us in.",
  no_key: "There's no active client secret to sign with. Create an API key.",
  status_400: "The endpoint rejects the body. Check that it expects these events as JSON.",
  status_401:
    "The endpoint rejects our signature. Check that it uses the current secret and verifies the raw body.",
  status_403:
    "The endpoint denies access. Check the secret, and whether a firewall or login is in front of it.",
  status_404: "There's nothing at this URL. Check the path, and that the plugin or route is active.",
  status_405: "The URL doesn't accept POST. Check the path.",
  status_410: "The endpoint says it's permanently gone.",
  status_413: "The endpoint says the body is too large. Raise its limit to at least a few KiB.",
  status_415: "The endpoint doesn't accept application/json.",
  status_429: "The endpoint is rate limiting our requests. Exempt webhooks from the limit, or raise it.",
  server_error: "The endpoint fails with an error of its own ({status}). See its log.",
  other_status: "The endpoint responds with {status} instead of 2xx.",
  no_status: "The endpoint doesn't respond with 2xx.",
  /** Appended to another cause. */
  web_page: "The response is a web page: the URL may belong to a website instead of a webhook endpoint.",
} as const;

export type LikelyCause = keyof typeof LIKELY_CAUSES;

export const isLikelyCause = (name: string): name is LikelyCause => Object.hasOwn(LIKELY_CAUSES, name);
