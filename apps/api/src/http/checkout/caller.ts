import type { Request } from "express";
import type { Viewer } from "../../operations/checkout/view-checkout.js";

const MAX_HEADER_LENGTH = 256;

const header = (request: Request, name: string): string | undefined =>
  request.get(name)?.slice(0, MAX_HEADER_LENGTH) || undefined;

/** Who looks at the page, as the page says. */
export const viewerOf = (request: Request): Viewer => ({
  visitor: header(request, "x-tillgate-visitor") ?? "",
  session: header(request, "x-tillgate-wallet-session"),
});

/** The shopper's address, as the page says; trusted because of the internal key. */
export const clientAddressOf = (request: Request): string =>
  header(request, "x-tillgate-client-address") ?? request.socket.remoteAddress ?? "unknown";
