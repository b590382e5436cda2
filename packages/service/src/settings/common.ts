import { oneOf, text } from "./kinds.js";
import type { SettingsTable } from "./read-settings.js";

/** Settings that several programs have. */
export const { host, logLevel } = {
  /** Address to listen on. */
  host: { name: "HOST", kind: text, default: "127.0.0.1" },
  /** How much is logged. */
  logLevel: {
    name: "LOG_LEVEL",
    kind: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    default: "info",
  },
} satisfies SettingsTable;
