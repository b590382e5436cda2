import { isSecureAddress } from "@tillgate/contract";
import { oneOf, text } from "./kinds.js";
import type { SettingsTable } from "./read-settings.js";

/** Settings that several programs have. */
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
 * The rule of a site's own origin: over plain http anybody on the way can read passwords, PINs and sessions.
 * @returns the mistake's sentence, or false.
 */
export const plainHttpError = (siteOrigin: string, httpHosts: readonly string[]): string | false =>
  !isSecureAddress(new URL(siteOrigin), httpHosts) &&
  "must begin with https, unless its host is this machine or named in TILLGATE_HTTP_HOSTS";
