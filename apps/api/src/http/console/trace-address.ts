import { TRACE_ID } from "../../settings/trace-page.js";

/**
 * Where the trace of an order or a payout is shown, for the console to link to.
 * @param page the setting `TILLGATE_TRACE_PAGE`.
 * @param traceparent version, trace, span and flags, between hyphens; null for what was not traced.
 * @returns null when there is nothing to show.
 */
export const traceAddress = (page: string | undefined, traceparent: string | null): string | null => {
  const trace = traceparent?.split("-")[1];
  return page === undefined || trace === undefined ? null : page.replace(TRACE_ID, trace);
};
