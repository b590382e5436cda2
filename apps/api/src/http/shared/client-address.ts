import type { Request } from "express";

/** The client's address: the peer's, or what a configured proxy says. A closed connection has none. */
export const clientAddressOf = (request: Request): string => request.ip ?? "unknown";
