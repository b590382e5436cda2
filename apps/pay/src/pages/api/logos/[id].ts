import type { NextApiRequest, NextApiResponse } from "next";
import { config } from "#config.ts";
import { identify } from "#http/shopper.ts";
import { ApiUnreachable, openLogo } from "#internal-api/checkout.ts";
import { RETRY_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";

const LOGO_ID = /^[0-9a-f]{64}$/;
const FORWARDED_HEADERS = ["Content-Type", "ETag", "Cache-Control"] as const;

/** Serves a merchant's logo. It is cacheable indefinitely, because the ID is the logo's hash. */
export default async function logo(request: NextApiRequest, response: NextApiResponse): Promise<void> {
  const { id } = request.query;
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    response.status(405).json({ reason: "method_not_allowed" });
    return;
  }
  response.setHeader("Cache-Control", "no-store");
  if (typeof id !== "string" || !LOGO_ID.test(id))
    return void response.status(404).json({ reason: "not_found" });
  try {
    const { caller } = identify(request, config());
    const upstream = await openLogo(id, caller, request.headers["if-none-match"]);
    if (upstream.status === 404) return void response.status(404).json({ reason: "not_found" });
    if (upstream.status !== 200 && upstream.status !== 304) {
      throw new ApiUnreachable(`The API returned ${upstream.status} for a logo`);
    }
    for (const name of FORWARDED_HEADERS) {
      const value = upstream.headers.get(name);
      if (value !== null) response.setHeader(name, value);
    }
    response.status(upstream.status).end(Buffer.from(await upstream.arrayBuffer()));
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to read a logo", { reason: error.message });
    response.setHeader("Retry-After", String(RETRY_SECONDS));
    response.status(503).json({ reason: "unavailable" });
  }
}
