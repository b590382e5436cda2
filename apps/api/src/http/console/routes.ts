import { Router } from "express";
import type { Availability } from "../../availability.js";
import type { Context } from "../../context.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { noteClientAddress } from "../shared/trace.js";
import { serveAdministration } from "./administration/routes.js";
import { serveBatches } from "./batches.js";
import { serveConnections } from "./connections.js";
import { serveCredentials } from "./credentials.js";
import { serveExports } from "./exports.js";
import { serveHome } from "./home.js";
import { serveMembers } from "./members.js";
import { serveOrders } from "./orders.js";
import { servePasskeys } from "./passkeys.js";
import { servePasswordResets } from "./password-resets.js";
import { servePaymentLinks } from "./payment-links.js";
import { servePayouts } from "./payouts.js";
import { serveRefunds } from "./refunds.js";
import { serveReplays } from "./replays.js";
import { serveRequests } from "./requests.js";
import { serveSearch } from "./search.js";
import { serveSecondFactors } from "./second-factors.js";
import { serveSettings } from "./settings.js";
import { serveSignIn } from "./sign-in.js";
import { serveSignUp } from "./sign-up.js";
import { serveTestControls } from "./test-controls.js";
import { serveTills } from "./tills.js";
import { serveViews } from "./views.js";
import { serveWallets } from "./wallets.js";
import { serveWebhooks } from "./webhooks.js";

/** The routes that the console calls, server to server. */
export function consoleRoutes(
  context: Context,
  availability: Pick<Availability, "clock" | "trouble">,
): Router {
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    noteClientAddress(response, clientAddressSaid(request));
    next();
  });
  serveSignIn(router, context);
  serveSignUp(router, context);
  servePasswordResets(router, context);
  serveSecondFactors(router, context);
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
  // Before the payouts: the word would be taken for the id of one.
  serveBatches(router, context);
  servePayouts(router, context);
  serveTills(router, context);
  serveViews(router, context);
  serveConnections(router, context);
  servePaymentLinks(router, context);
  serveWallets(router, context);
  serveCredentials(router, context);
  serveRequests(router, context);
  serveTestControls(router, context);
  serveAdministration(router, context, availability);
  return router;
}
