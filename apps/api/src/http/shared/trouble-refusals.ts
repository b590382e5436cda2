import { Refusal } from "@tillgate/contract";
import type { Trouble } from "../../availability.js";

/** What those who run the service read of each trouble. Others read only that it cannot answer now. */
export const TROUBLE_REFUSALS: Record<Trouble, Refusal> = {
  silent: Refusal.DatabaseSilent,
  full: Refusal.DatabaseFull,
  busy: Refusal.DatabaseBusy,
};
