import { isLoopbackHost } from "@tillgate/contract";

/** Over plain http anybody on the way can read passwords, PINs and sessions. */
function mayBePlain(url: string, httpHosts: readonly string[]): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackHost(hostname) || httpHosts.includes(hostname);
}

/** The rule of a site's own origin: the mistake's sentence, or false. */
export const refusePlainHttp = (siteOrigin: string, httpHosts: readonly string[]): string | false =>
  !mayBePlain(siteOrigin, httpHosts) &&
  "must begin with https, unless its host is this machine or named in TILLGATE_HTTP_HOSTS";
