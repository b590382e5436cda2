import type { Request } from "express";
import type { Viewer } from "../../operations/checkout/view-checkout.js";

const MAX_HEADER_LENGTH = 256;
/** A signed token is longer than the opaque ones. */
const MAX_WITNESS_LENGTH = 1_024;

const header = (request: Request, name: string, longest = MAX_HEADER_LENGTH): string | undefined =>
  request.get(name)?.slice(0, longest) || undefined;

/** The visitor of the page, as the page says. */
export const viewerOf = (request: Request): Viewer => ({
  visitor: header(request, "x-tillgate-visitor") ?? "",
  session: header(request, "x-tillgate-wallet-session"),
  device: header(request, "x-tillgate-device"),
  witness: header(request, "x-tillgate-witness", MAX_WITNESS_LENGTH),
});

/** The shopper's address, as the page says; trusted because of the internal key. */
export const clientAddressOf = (request: Request): string =>
  header(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";
