/**
 * Returns undefined for an invalid URL. Does not use `URL.canParse`, which in Node.js 20, once optimised, rejects URLs with non-ASCII letters, such
 * as `https://münchen.example`.
 */
export function parseAddress(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

/** Returns undefined unless the text is a valid http or https URL. */
export const parseWebAddress = (address: string): URL | undefined =>
  /^https?:\/\//i.test(address) ? parseAddress(address) : undefined;

/** Removes trailing slashes in linear time; a regular expression could take quadratic time. */
export function trimTrailingSlashes(address: string): string {
  let end = address.length;
  while (address.endsWith("/", end)) end -= 1;
  return address.slice(0, end);
}

/** Returns whether a host (as in `URL.hostname`) is this machine. Plain HTTP to it does not cross a network. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  host === "::1" ||
  /^127(\.\d{1,3}){3}$/.test(host);

/** Accepts https, and http to this machine or to a host allowed by the operator. */
export const isSecureAddress = ({ protocol, hostname }: URL, httpHosts: readonly string[] = []): boolean =>
  protocol === "https:" ||
  (protocol === "http:" && (isLoopbackHost(hostname) || httpHosts.includes(hostname)));

export const isLiveAddress = (address: string): boolean => parseAddress(address)?.protocol === "https:";
