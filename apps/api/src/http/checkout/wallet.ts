import {
  changePinRequestSchema,
  walletActionRequestSchema,
  walletActivityQuerySchema,
  walletSignInRequestSchema,
} from "@tillgate/contract";
import type { Request, RequestHandler, Router } from "express";
import { signFormToken } from "../../checkout/tokens.js";
import { listActivity, readReceipt } from "../../checkout/wallet/activity.js";
import { listActivePasskeys, revokeShopperPasskey } from "../../checkout/wallet/passkeys.js";
import { changePin } from "../../checkout/wallet/pins.js";
import { signIn } from "../../checkout/wallet/sign-in.js";
import {
  forgetDevice,
  listSignIns,
  revokeSession,
  signOutEverywhere,
} from "../../checkout/wallet/sign-ins.js";
import type { Context } from "../../context.js";
import { readShopper, requireShopper, type Shopper } from "../../identity/shoppers/read.js";
import { endSession, renewSessionIfDue } from "../../identity/shoppers/session.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { readViewer } from "./caller.js";
import { toRenewed, toSignedIn } from "./shapes.js";
import { serveWalletSandbox } from "./wallet-sandbox.js";
import {
  readFormWallet,
  requireSignedIn,
  toActivityPage,
  toReceipt,
  toSignIns,
  toWallet,
} from "./wallet-shapes.js";

type ActionResult = { confirmed?: boolean; signedOut?: boolean };

/** Serves the shopper's wallet, which shares sign-in, sessions and devices with the payment page. */
export function serveWallet(router: Router, context: Context): void {
  const { payUrl, production } = context.config;
  serveWalletSandbox(router, context);

  const actionHandler =
    (perform: (request: Request, shopper: Shopper) => Promise<ActionResult>): RequestHandler =>
    async (request, response) => {
      // The other fields of the form belong to the action.
      const { form_token } = parse(walletActionRequestSchema.loose(), request.body);
      const { shopper } = requireSignedIn(await readFormWallet(context, request, form_token));
      const { confirmed = false, signedOut = false } = await perform(request, shopper);
      const { rotationDue } = shopper;
      const renewed = signedOut
        ? null
        : await renewSessionIfDue(context, readViewer(request).session, { confirmed, rotationDue });
      succeed(response, "Done", { renewed_session: toRenewed(renewed), signed_out: signedOut });
    };

  serve(router, "/wallet", {
    get: async (request, response) => {
      const { visitor, session } = readViewer(request);
      const shopperSession = await readShopper(context, session);
      const formToken = await signFormToken(context, {
        orderId: null,
        visitor,
        session: shopperSession,
      });
      const usualMode = production ? "live" : "sandbox";
      succeed(response, "Wallet retrieved", toWallet(shopperSession, { formToken, usualMode }));
    },
  });
  serve(router, "/wallet/sign-in", {
    post: async (request, response) => {
      const fields = parse(walletSignInRequestSchema, request.body);
      await readFormWallet(context, request, fields.form_token);
      const signedIn = await signIn(context, {
        identifier: fields.identifier,
        pin: fields.pin,
        mode: fields.mode,
        orderId: null,
        clientAddress: getEndUserAddress(request),
        before: readViewer(request),
        remembered: fields.stay_signed_in,
      });
      succeed(response, "Signed in", toSignedIn(signedIn));
    },
  });
  serve(router, "/wallet/sign-out", {
    post: async (request, response) => {
      const { form_token } = parse(walletActionRequestSchema, request.body);
      await readFormWallet(context, request, form_token);
      const { session } = readViewer(request);
      if (session) await endSession(context, session);
      succeed(response, "Done", { renewed_session: null, signed_out: true });
    },
  });
  serve(router, "/wallet/activity", {
    get: async (request, response) => {
      const query = parse(walletActivityQuerySchema, request.query);
      const shopper = await requireShopper(context, readViewer(request).session);
      succeed(response, "Activity retrieved", toActivityPage(await listActivity(context, shopper, query)));
    },
  });
  serve(router, "/wallet/activity/:id", {
    get: async (request, response) => {
      const shopper = await requireShopper(context, readViewer(request).session);
      const receipt = await readReceipt(context, shopper, pathParameter(request, "id"));
      succeed(response, "Receipt retrieved", toReceipt(receipt, payUrl));
    },
  });
  serve(router, "/wallet/sign-ins", {
    get: async (request, response) => {
      const shopper = await requireShopper(context, readViewer(request).session);
      const [signIns, passkeys] = await Promise.all([
        listSignIns(context, shopper),
        listActivePasskeys(context, shopper.id),
      ]);
      succeed(response, "Sign-ins retrieved", toSignIns(signIns, passkeys, shopper));
    },
  });
  serve(router, "/wallet/sessions/:id/end", {
    post: actionHandler(async (request, shopper) => {
      const id = pathParameter(request, "id");
      await revokeSession(context, shopper, id);
      return { signedOut: id === shopper.sessionId };
    }),
  });
  serve(router, "/wallet/devices/:id/forget", {
    post: actionHandler(async (request, shopper) => {
      const id = pathParameter(request, "id");
      await forgetDevice(context, shopper, id);
      return { signedOut: id === shopper.deviceId };
    }),
  });
  serve(router, "/wallet/passkeys/:id/revoke", {
    post: actionHandler(async (request, shopper) => {
      await revokeShopperPasskey(context, shopper.id, pathParameter(request, "id"));
      return {};
    }),
  });
  serve(router, "/wallet/sign-out-everywhere", {
    post: actionHandler(async (_request, shopper) => {
      await signOutEverywhere(context, shopper);
      return { signedOut: true };
    }),
  });
  serve(router, "/wallet/pin", {
    post: actionHandler(async (request, shopper) => {
      const fields = parse(changePinRequestSchema, request.body);
      await changePin(context, shopper, fields, getEndUserAddress(request));
      return { confirmed: true };
    }),
  });
}
