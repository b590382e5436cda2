import type { Router } from "express";
import type { Availability } from "../../../availability.js";
import type { Context } from "../../../context.js";
import { serveApprovals } from "./approvals.js";
import { serveMerchants } from "./merchants.js";
import { serveOversight } from "./oversight.js";
import { servePeople } from "./people.js";
import { servePricing } from "./pricing.js";

/** What administrators alone may call, over the operations of the commands of administration. */
export function serveAdministration(
  router: Router,
  context: Context,
  availability: Pick<Availability, "clock" | "trouble">,
): void {
  serveMerchants(router, context);
  serveApprovals(router, context);
  servePricing(router, context);
  servePeople(router, context);
  serveOversight(router, context, availability);
}
