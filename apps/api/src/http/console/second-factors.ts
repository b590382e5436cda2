import {
  consoleRecoveryCodeRequestSchema,
  consoleSecondFactorStartRequestSchema,
  consoleTotpRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { ownSecondFactors } from "../../operations/console/own-second-factors.js";
import {
  confirmTotp,
  renewRecoveryCodes,
  startTotp,
  turnTotpOff,
} from "../../operations/console/set-up-totp.js";
import { showRecoveryCode, showTotp } from "../../operations/console/show-second-factor.js";
import { succeed } from "../shared/answer.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { parse } from "../shared/parse.js";
import { serve } from "../shared/routes.js";
import { signedInOn, withSession } from "./caller.js";
import { shapeSecondFactorOn, shapeToken } from "./session-shapes.js";

/** Showing a second factor, also in a session that waits for it, and the user's own second factors. */
export function serveSecondFactors(router: Router, context: Context): void {
  const signedIn = signedInOn(context);
  const waitingToo = withSession(context);

  serve(router, "/second-factor", {
    get: [
      waitingToo(async (session, _request, response) => {
        succeed(response, "Second factors retrieved", await ownSecondFactors(context, session));
      }),
    ],
  });

  serve(router, "/second-factor/totp", {
    post: [
      waitingToo(async (session, request, response) => {
        const { code } = parse(consoleTotpRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        succeed(response, "Done", shapeToken(await showTotp(context, session, { code, clientAddress })));
      }),
    ],
  });

  serve(router, "/second-factor/recovery-code", {
    post: [
      waitingToo(async (session, request, response) => {
        const { code } = parse(consoleRecoveryCodeRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        succeed(
          response,
          "Done",
          shapeToken(await showRecoveryCode(context, session, { code, clientAddress })),
        );
      }),
    ],
  });

  serve(router, "/second-factor/totp/start", {
    post: [
      signedIn(async (session, request, response) => {
        const { password } = parse(consoleSecondFactorStartRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        const { secret, uri } = await startTotp(context, session, { password, clientAddress });
        succeed(response, "Authenticator app begun", { secret, otpauth_uri: uri });
      }),
    ],
  });

  serve(router, "/second-factor/totp/confirm", {
    post: [
      signedIn(async (session, request, response) => {
        const { code } = parse(consoleTotpRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        const on = await confirmTotp(context, session, { code, clientAddress });
        succeed(response, "Authenticator app on", shapeSecondFactorOn(on));
      }),
    ],
  });

  serve(router, "/second-factor/totp/turn-off", {
    post: [
      signedIn(async (session, _request, response) => {
        await turnTotpOff(context, session);
        succeed(response, "Authenticator app off", {});
      }),
    ],
  });

  serve(router, "/second-factor/recovery-codes", {
    post: [
      signedIn(async (session, _request, response) => {
        const codes = await renewRecoveryCodes(context, session);
        succeed(response, "Recovery codes renewed", { recovery_codes: codes });
      }),
    ],
  });
}
