import { isSecureAddress } from "@tillgate/contract";
import { oneOf, text } from "./kinds.js";
import type { SettingsTable } from "./read-settings.js";

/** Settings shared by several processes. */
export const { host, logLevel } = {
  /** Address to listen on. */
  host: { name: "HOST", kind: text, default: "127.0.0.1" },
  /** Minimum level of log lines. */
  logLevel: {
    name: "LOG_LEVEL",
    kind: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    default: "info",
  },
} satisfies SettingsTable;

/**
 * Requires https for a site's origin: over plain http, passwords, PINs and sessions can be read in transit.
 * @returns an error message, or false.
 */
export const plainHttpError = (siteOrigin: string, httpHosts: readonly string[]): string | false =>
  !isSecureAddress(new URL(siteOrigin), httpHosts) &&
  "must begin with https, unless its host is this machine or listed in TILLGATE_HTTP_HOSTS";
