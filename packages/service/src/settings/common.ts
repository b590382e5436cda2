import { oneOf, text } from "./kinds.js";
import type { Setting } from "./read-settings.js";

/** What every program that listens has. */
export const host = {
  name: "HOST",
  kind: text,
  default: "127.0.0.1",
  about: "Address to listen on.",
} satisfies Setting;

export const logLevel = {
  name: "LOG_LEVEL",
  kind: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
  default: "info",
  about: "How much is logged.",
} satisfies Setting;
