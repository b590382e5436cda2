import type { Request } from "express";
import type { Viewer } from "../../checkout/view.js";
import { getInternalHeader } from "../shared/admit.js";

/** The visitor token is signed, and therefore longer than the opaque session and device tokens. */
const MAX_VISITOR_TOKEN_LENGTH = 1_024;

/** Reads the visitor as reported by the payment page's server. */
export const readViewer = (request: Request): Viewer => ({
  visitor: getInternalHeader(request, "x-tillgate-visitor") ?? "",
  session: getInternalHeader(request, "x-tillgate-wallet-session"),
  device: getInternalHeader(request, "x-tillgate-device"),
  witness: getInternalHeader(request, "x-tillgate-witness", MAX_VISITOR_TOKEN_LENGTH),
  browser: getInternalHeader(request, "x-tillgate-client-browser") ?? "",
});
