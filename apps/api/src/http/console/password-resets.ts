import {
  consoleResetConfirmSchema,
  consoleResetRequestSchema,
  readResetLinkSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { askForReset, requireResetLink, resetPassword } from "../../operations/console/reset-password.js";
import { succeed } from "../shared/answer.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { parse } from "../shared/parse.js";
import { serve } from "../shared/routes.js";

/** A new password by a mailed link, for a user who cannot sign in. */
export function servePasswordResets(router: Router, context: Context): void {
  serve(router, "/password-reset", {
    post: [
      async (request, response) => {
        const { email } = parse(consoleResetRequestSchema, request.body);
        await askForReset(context, { email, clientAddress: clientAddressSaid(request) });
        succeed(response, "If the address is known, a link is on its way", {});
      },
    ],
  });

  serve(router, "/password-reset/link", {
    post: [
      async (request, response) => {
        await requireResetLink(context, parse(readResetLinkSchema, request.body).token);
        succeed(response, "The link is valid", {});
      },
    ],
  });

  serve(router, "/password-reset/confirm", {
    post: [
      async (request, response) => {
        await resetPassword(context, parse(consoleResetConfirmSchema, request.body));
        succeed(response, "Password set", {});
      },
    ],
  });
}
