import { isSecureAddress } from "@tillgate/contract";
import { baseAddress, oneOf, ratio, text } from "./kinds.js";
import type { SettingsTable } from "./read-settings.js";

export const { host, logLevel, traceCollector, traceSampleRatio } = {
  /** Address on which the process listens. */
  host: { name: "HOST", kind: text, default: "127.0.0.1" },
  /** Minimum level of log lines. */
  logLevel: {
    name: "LOG_LEVEL",
    kind: oneOf(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    default: "info",
  },
  /**
   * OpenTelemetry collector (OTLP over HTTP), such as `http://127.0.0.1:4318`. A payment is one trace, from the shop's call through the
   * payment page to the webhook.
   */
  traceCollector: { name: "TILLGATE_TRACE_COLLECTOR", kind: baseAddress, ifUnset: "no tracing" },
  /** Fraction of root traces to sample. Requests with a `traceparent` follow the caller's sampling decision. */
  traceSampleRatio: { name: "TILLGATE_TRACE_SAMPLE_RATIO", kind: ratio, default: 1 },
} satisfies SettingsTable;

/** Rejects a site's plain http URL, over which passwords, PINs and sessions could be read in transit. @returns an error message, or false. */
export const plainHttpError = (siteOrigin: string, httpHosts: readonly string[]): string | false =>
  !isSecureAddress(new URL(siteOrigin), httpHosts) &&
  "must begin with https, unless its host is this machine or listed in TILLGATE_HTTP_HOSTS";
