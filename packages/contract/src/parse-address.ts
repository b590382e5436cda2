/**
 * The address as a URL, or undefined when it is none. `URL.canParse` cannot be used here. Once Node 20 has optimised its
 * caller, it refuses addresses with letters beyond ASCII, such as `https://münchen.example`.
 */
export function parseAddress(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** An address that begins with http:// or https:// as a URL, or undefined when it is none. */
export const parseWebAddress = (address: string): URL | undefined =>
  /^https?:\/\//i.test(address) ? parseAddress(address) : undefined;

/** An address that a path can be appended to: it removes the slashes at the end, in one pass. */
export function withoutTrailingSlashes(address: string): string {
  let end = address.length;
  while (address.endsWith("/", end)) end -= 1;
  return address.slice(0, end);
}

/** Whether a host, as `URL.hostname` writes it, is the machine itself: plain HTTP to it crosses no network. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  host === "::1" ||
  /^127(\.\d{1,3}){3}$/.test(host);

/** Whether secrets may be sent there: https, or plain http that reaches this machine or a host that the operator named. */
export const isSecureAddress = ({ protocol, hostname }: URL, httpHosts: readonly string[] = []): boolean =>
  protocol === "https:" ||
  (protocol === "http:" && (isLoopbackHost(hostname) || httpHosts.includes(hostname)));

/** Whether real money may go there: https only, loopback is for the sandbox. */
export const isLiveAddress = (address: string): boolean => parseAddress(address)?.protocol === "https:";
