import { Router } from "express";
import type { Context } from "../../context.js";
import type { Availability } from "../../platform/availability.js";
import { getEndUserAddress } from "../shared/admit.js";
import { setClientAddress } from "../shared/trace.js";
import { serveApprovals } from "./administration/approvals.js";
import { serveMerchants } from "./administration/merchants.js";
import { serveOversight } from "./administration/oversight.js";
import { servePeople } from "./administration/people.js";
import { servePricing } from "./administration/pricing.js";
import { serveBulkPayouts } from "./bulk-payouts.js";
import { serveExports } from "./exports.js";
import { serveHome } from "./home.js";
import { serveConnections, serveCredentials } from "./keys.js";
import { serveMembers } from "./members.js";
import { serveOrders, serveRefunds } from "./orders.js";
import { servePaymentLinks } from "./payment-links.js";
import { servePayouts } from "./payouts.js";
import { serveReplays } from "./replays.js";
import { serveReports } from "./reports.js";
import { serveTestControls } from "./sandbox.js";
import { serveRequests, serveSearch, serveViews } from "./search.js";
import { servePasskeys, serveTotpAndRecoveryCodes } from "./second-factors.js";
import { serveSettings } from "./settings.js";
import { serveShops } from "./shops.js";
import { servePasswordResets, serveSignIn } from "./sign-in.js";
import { serveSignUp } from "./sign-up.js";
import { serveTills } from "./tills.js";
import { serveWallets } from "./wallets.js";
import { serveWebhooks } from "./webhooks.js";

/** Creates the routes that the console's server calls. */
export function createConsoleRoutes(
  context: Context,
  availability: Pick<Availability, "clock" | "reason">,
): Router {
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    setClientAddress(response, getEndUserAddress(request));
    next();
  });
  serveSignIn(router, context);
  serveSignUp(router, context);
  servePasswordResets(router, context);
  serveTotpAndRecoveryCodes(router, context);
  servePasskeys(router, context);
  serveMembers(router, context);
  serveWebhooks(router, context);
  serveReplays(router, context);
  serveSettings(router, context);
  serveHome(router, context);
  serveSearch(router, context);
  serveExports(router, context);
  serveOrders(router, context);
  serveRefunds(router, context);
  // Registered before the payout routes, which would match `batches` as an ID.
  serveBulkPayouts(router, context);
  servePayouts(router, context);
  serveTills(router, context);
  serveViews(router, context);
  serveConnections(router, context);
  servePaymentLinks(router, context);
  serveWallets(router, context);
  serveReports(router, context);
  serveShops(router, context);
  serveCredentials(router, context);
  serveRequests(router, context);
  serveTestControls(router, context);
  serveAdministration(router, context, availability);
  return router;
}

/** Serves the routes for administrators, which use the same operations as `npm run admin`. */
function serveAdministration(
  router: Router,
  context: Context,
  availability: Pick<Availability, "clock" | "reason">,
): void {
  serveMerchants(router, context);
  serveApprovals(router, context);
  servePricing(router, context);
  servePeople(router, context);
  serveOversight(router, context, availability);
}
