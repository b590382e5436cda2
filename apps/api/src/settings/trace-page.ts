import { parseWebAddress } from "@tillgate/contract";
import { readBy } from "@tillgate/service/settings";

/** Stands in the address of a trace's page for its id. */
export const TRACE_ID = "{trace_id}";

/** The address where a program shows traces. */
export const tracePage = readBy(`an http or https address with ${TRACE_ID} in it`, (value) =>
  parseWebAddress(value.replace(TRACE_ID, "0")) && value.includes(TRACE_ID) ? value : undefined,
);
