import { PAY_API_PATH } from "../limits.js";
import { PARTNER_API_PATHS } from "../partner.js";
import type { JsonObject } from "./json.js";

/** The Pay API has a base path per mode; a key of the other mode is refused there. */
export const PAY_SERVERS: JsonObject[] = [
  { url: PAY_API_PATH.sandbox, description: "Pay API, sandbox: moves no real funds." },
  { url: PAY_API_PATH.live, description: "Pay API, live." },
];

/** The Partner API has two base paths that do the same: the token chooses the mode. */
export const PARTNER_SERVERS: JsonObject[] = [
  { url: PARTNER_API_PATHS[0], description: "Partner API: the API token chooses sandbox or live." },
  { url: PARTNER_API_PATHS[1], description: "Partner API, the same under another path." },
];
