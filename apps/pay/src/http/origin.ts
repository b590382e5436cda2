import type { IncomingHttpHeaders } from "node:http";
import { parseAddress } from "@tillgate/contract";

/**
 * Whether a form was sent by a page of our own origin. Browsers send `Origin` with every POST; where it is missing
 * the `Referer` decides, and where both are missing nothing is accepted. `Origin: null` is never ours.
 */
export function isOwnOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === ownOrigin;
  const referer = headers.referer;
  return referer !== undefined && parseAddress(referer)?.origin === ownOrigin;
}
