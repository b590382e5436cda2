import type { IncomingHttpHeaders } from "node:http";
import { parseAddress } from "@tillgate/contract";

/**
 * Whether a form comes from a page of our own origin. Browsers send `Origin` with every POST. If it is missing, the
 * `Referer` decides. If both are missing, the form is refused. `Origin: null` is never ours.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === ownOrigin;
  const referer = headers.referer;
  return referer !== undefined && parseAddress(referer)?.origin === ownOrigin;
}
