import type { Request } from "express";
import type { Viewer } from "../../checkout/view.js";
import { internalHeader } from "../shared/admit.js";

/** Maximum length of the visitor token. As a signed token, it is longer than the opaque ones. */
const MAX_VISITOR_TOKEN_LENGTH = 1_024;

/** Reads the visitor, as reported by the page. */
export const readViewer = (request: Request): Viewer => ({
  visitor: internalHeader(request, "x-tillgate-visitor") ?? "",
  session: internalHeader(request, "x-tillgate-wallet-session"),
  device: internalHeader(request, "x-tillgate-device"),
  witness: internalHeader(request, "x-tillgate-witness", MAX_VISITOR_TOKEN_LENGTH),
  browser: internalHeader(request, "x-tillgate-client-browser") ?? "",
});
