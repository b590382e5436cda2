import type { Request, Response } from "express";
import type { Context } from "../../context.js";
import type { CallerTerms, Client } from "../../credentials/authenticate-client.js";
import { spendRequest } from "../../credentials/request-limits.js";
import { requirePermission } from "./key-permissions.js";
import { meetControl } from "./meet-control.js";
import { applyAllowance } from "./rate-limit.js";
import { noteCaller } from "./trace.js";

type Admission = {
  request: Request;
  response: Response;
  /** Default: true. Calls that order or clear test controls never meet one. */
  meetsControls?: boolean;
};

/**
 * What every call of a known caller goes through before its operation: it is noted, counted, refused where it may not write, and
 * meets what its merchant ordered of the sandbox.
 * @throws OperationError TooManyRequests, ReadOnlyCredential, OrderOnlyCredential; what a test control makes of it.
 */
export async function admit(
  context: Context,
  api: "pay" | "partner",
  caller: Client & CallerTerms,
  { request, response, meetsControls = true }: Admission,
): Promise<void> {
  noteCaller(response, caller);
  applyAllowance(response, await spendRequest(context, api, caller));
  requirePermission(caller, request);
  if (meetsControls) await meetControl(context, caller, response);
}
