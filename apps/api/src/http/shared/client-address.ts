import type { Request } from "express";

/** Where a call comes from: the peer, or what a configured proxy says. A connection that is gone has no address left. */
export const clientAddressOf = (request: Request): string => request.ip ?? "unknown";
