import {
  addPasskeyRequestSchema,
  checkoutActionRequestSchema,
  ErrorCode,
  passkeyPaymentRequestSchema,
} from "@tillgate/contract";
import type { Request, Router } from "express";
import { startConfirmation } from "../../checkout/confirm.js";
import type { Checkout } from "../../checkout/read.js";
import { withDeviceShopper } from "../../checkout/wallet/devices.js";
import { addShopperPasskey, type PasskeyOwner, startShopperPasskey } from "../../checkout/wallet/passkeys.js";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import { parse } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { readViewer } from "./caller.js";

type CheckoutOfForm = (request: Request, formToken: string, quoteId?: string) => Promise<Checkout>;

/** Serves payment by passkey, and the registration of a passkey, which requires a recent PIN for this order. */
export function servePasskeys(router: Router, context: Context, checkoutOfForm: CheckoutOfForm): void {
  serve(router, "/orders/:token/passkey/start", {
    post: async (request, response) => {
      const { form_token, ...choice } = parse(passkeyPaymentRequestSchema, request.body);
      const checkout = await checkoutOfForm(request, form_token, choice.quote_id);
      const recognised = await withDeviceShopper(context, checkout, readViewer(request).device);
      const options = await startConfirmation(context, recognised ?? checkout, choice);
      succeed(response, "Passkey challenge created", { options });
    },
  });
  serve(router, "/orders/:token/passkeys/start", {
    post: async (request, response) => {
      const { form_token } = parse(checkoutActionRequestSchema, request.body);
      const owner = requireOwner(await checkoutOfForm(request, form_token));
      succeed(response, "Passkey registration started", {
        options: await startShopperPasskey(context, owner),
      });
    },
  });
  serve(router, "/orders/:token/passkeys", {
    post: async (request, response) => {
      const { form_token, credential } = parse(addPasskeyRequestSchema, request.body);
      const checkout = await checkoutOfForm(request, form_token);
      await addShopperPasskey(context, requireOwner(checkout), credential);
      succeed(response, "Passkey added", {
        status: checkout.order.state,
        repeated: false,
        renewed_session: null,
      });
    },
  });
}

/** Requires a recent PIN for this order. @throws OperationError NotSignedIn, PinNeeded; PasskeyRefused for the sandbox's open shopper. */
function requireOwner({ order, sessionId, shopper }: Checkout): PasskeyOwner {
  if (!shopper || sessionId === null) throw new OperationError(ErrorCode.NotSignedIn);
  if (!shopper.pinFresh) throw new OperationError(ErrorCode.PinNeeded);
  if (shopper.shared) throw new OperationError(ErrorCode.PasskeyRefused);
  return { sessionId, shopper: { id: shopper.id, name: shopper.name, mode: order.mode } };
}
