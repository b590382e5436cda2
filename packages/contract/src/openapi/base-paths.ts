import { PAY_API_PATH } from "../limits.js";
import { PARTNER_API_PATHS } from "../partner.js";
import type { JsonObject } from "./json.js";

/** Which of the two APIs an operation belongs to. */
export type PublicApi = "pay" | "partner";

/**
 * One base path of an API, and the suffix that distinguishes its operations. Paths are written whole: few generators read
 * separate servers for each path, and generated clients then posted payouts to the Pay API.
 */
export type BasePath = { base: string; idSuffix: string; tagSuffix: string };

const BASE_PATHS: Record<PublicApi, readonly BasePath[]> = {
  /** A base path for each mode; a key of the other mode is refused there. */
  pay: [
    { base: PAY_API_PATH.sandbox, idSuffix: "InSandbox", tagSuffix: " (sandbox)" },
    { base: PAY_API_PATH.live, idSuffix: "", tagSuffix: "" },
  ],
  /** Two base paths that do the same: the API token chooses the mode. */
  partner: [
    { base: PARTNER_API_PATHS[0], idSuffix: "", tagSuffix: "" },
    { base: PARTNER_API_PATHS[1], idSuffix: "UnderShortPath", tagSuffix: " (short path)" },
  ],
};

/** The base paths that something is served under. */
export const basePathsOf = ({
  api,
  sandboxOnly,
}: {
  api: PublicApi;
  sandboxOnly?: true;
}): readonly BasePath[] =>
  BASE_PATHS[api].filter(({ base }) => !sandboxOnly || base === PAY_API_PATH.sandbox);

/** Paths are whole, so that only the host is left to be said. */
export const SERVERS: JsonObject[] = [{ url: "/", description: "The host that answers this document." }];
