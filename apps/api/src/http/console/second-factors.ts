import {
  consolePasskeyConfirmRequestSchema,
  consolePasskeyRenameRequestSchema,
  consolePasskeyRequestSchema,
  consoleRecoveryCodeRequestSchema,
  consoleSecondFactorStartRequestSchema,
  consoleTotpRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { listSecondFactors } from "../../identity/console/own-second-factors.js";
import {
  confirmPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "../../identity/console/passkeys.js";
import {
  startPasskeySignIn,
  verifyPasskey,
  verifyRecoveryCode,
  verifyTotp,
} from "../../identity/console/second-factors.js";
import { confirmTotp, disableTotp, renewRecoveryCodes, startTotp } from "../../identity/console/totp.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { withSession, withSignedIn } from "./caller.js";
import { toAddedSecondFactor, toToken } from "./sign-in.js";

/** Serves authenticator apps and recovery codes. A session that still needs its second factor may list the factors and verify a code. */
export function serveTotpAndRecoveryCodes(router: Router, context: Context): void {
  const signedIn = withSignedIn(context);
  const waitingToo = withSession(context);

  serve(router, "/second-factor", {
    get: waitingToo(async (session, _request, response) => {
      succeed(response, "Second factors retrieved", await listSecondFactors(context, session));
    }),
  });

  serve(router, "/second-factor/totp", {
    post: waitingToo(async (session, request, response) => {
      const { code } = parse(consoleTotpRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      succeed(response, "Done", toToken(await verifyTotp(context, session, { code, clientAddress })));
    }),
  });

  serve(router, "/second-factor/recovery-code", {
    post: waitingToo(async (session, request, response) => {
      const { code } = parse(consoleRecoveryCodeRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      succeed(response, "Done", toToken(await verifyRecoveryCode(context, session, { code, clientAddress })));
    }),
  });

  serve(router, "/second-factor/totp/start", {
    post: signedIn(async (session, request, response) => {
      const { password } = parse(consoleSecondFactorStartRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      const { secret, uri } = await startTotp(context, session, { password, clientAddress });
      succeed(response, "Authenticator app setup started", { secret, otpauth_uri: uri });
    }),
  });

  serve(router, "/second-factor/totp/confirm", {
    post: signedIn(async (session, request, response) => {
      const { code } = parse(consoleTotpRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      const confirmed = await confirmTotp(context, session, { code, clientAddress });
      succeed(response, "Authenticator app enabled", toAddedSecondFactor(confirmed));
    }),
  });

  serve(router, "/second-factor/totp/turn-off", {
    post: signedIn(async (session, _request, response) => {
      await disableTotp(context, session);
      succeed(response, "Authenticator app disabled", {});
    }),
  });

  serve(router, "/second-factor/recovery-codes", {
    post: signedIn(async (session, _request, response) => {
      const codes = await renewRecoveryCodes(context, session);
      succeed(response, "Recovery codes renewed", { recovery_codes: codes });
    }),
  });
}

/** Serves passkeys as second factors. A session that still needs its second factor may verify a passkey. */
export function servePasskeys(router: Router, context: Context): void {
  const signedIn = withSignedIn(context);
  const waitingToo = withSession(context);

  serve(router, "/second-factor/passkey/start", {
    post: waitingToo(async (session, _request, response) => {
      succeed(response, "Passkey challenge created", {
        options: await startPasskeySignIn(context, session),
      });
    }),
  });

  serve(router, "/second-factor/passkey", {
    post: waitingToo(async (session, request, response) => {
      const { credential } = parse(consolePasskeyRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      const token = await verifyPasskey(context, session, { credential, clientAddress });
      succeed(response, "Done", toToken(token));
    }),
  });

  serve(router, "/second-factor/passkeys/start", {
    post: signedIn(async (session, request, response) => {
      const { password } = parse(consoleSecondFactorStartRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      const options = await startPasskey(context, session, { password, clientAddress });
      succeed(response, "Passkey registration started", { options });
    }),
  });

  serve(router, "/second-factor/passkeys/confirm", {
    post: signedIn(async (session, request, response) => {
      const fields = parse(consolePasskeyConfirmRequestSchema, request.body);
      succeed(response, "Passkey added", toAddedSecondFactor(await confirmPasskey(context, session, fields)));
    }),
  });

  serve(router, "/second-factor/passkeys/:passkey/rename", {
    post: signedIn(async (session, request, response) => {
      const { name } = parse(consolePasskeyRenameRequestSchema, request.body);
      await renamePasskey(context, session, { id: pathParameter(request, "passkey"), name });
      succeed(response, "Passkey renamed", {});
    }),
  });

  serve(router, "/second-factor/passkeys/:passkey/remove", {
    post: signedIn(async (session, request, response) => {
      await removePasskey(context, session, pathParameter(request, "passkey"));
      succeed(response, "Passkey removed", {});
    }),
  });
}
