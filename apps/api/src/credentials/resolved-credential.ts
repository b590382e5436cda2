import type { Mode } from "@tillgate/contract";

/** How many credentials, also unknown ones, a process keeps in memory. */
export const MAX_CACHED_CREDENTIALS = 10_000;

/** A credential that works, with all that a request needs to know of its merchant. */
export type ResolvedCredential = {
  id: string;
  merchantId: string;
  mode: Mode;
  secretHash: Uint8Array;
  suspended: boolean;
  partnerApiEnabled: boolean;
  /** The merchant's own limits; null: the default. */
  payRequestsAMinute: number | null;
  partnerRequestsAMinute: number | null;
  /** Whether it has authenticated a call before. */
  used: boolean;
  /** When the overlap of its rotation ends, by this process's monotonic clock; infinity for one without an end. */
  endsAt: number;
};

/** What was read of an id, and until when it counts, by the monotonic clock. */
export type CachedCredentials = { until: number; found: Promise<ResolvedCredential[]> };
