import {
  consolePasskeyConfirmRequestSchema,
  consolePasskeyRenameRequestSchema,
  consolePasskeyRequestSchema,
  consoleSecondFactorStartRequestSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import {
  confirmPasskey,
  removePasskey,
  renamePasskey,
  startPasskey,
} from "../../operations/console/passkeys.js";
import { askForPasskey, showPasskey } from "../../operations/console/show-second-factor.js";
import { succeed } from "../shared/answer.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { signedInOn, withSession } from "./caller.js";
import { shapeSecondFactorOn, shapeToken } from "./session-shapes.js";

/** Showing a passkey as the second factor, also in a session that waits for it, and the user's own passkeys. */
export function servePasskeys(router: Router, context: Context): void {
  const signedIn = signedInOn(context);
  const waitingToo = withSession(context);

  serve(router, "/second-factor/passkey/start", {
    post: [
      waitingToo(async (session, _request, response) => {
        succeed(response, "Passkey asked for", { options: await askForPasskey(context, session) });
      }),
    ],
  });

  serve(router, "/second-factor/passkey", {
    post: [
      waitingToo(async (session, request, response) => {
        const { credential } = parse(consolePasskeyRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        const token = await showPasskey(context, session, { credential, clientAddress });
        succeed(response, "Done", shapeToken(token));
      }),
    ],
  });

  serve(router, "/second-factor/passkeys/start", {
    post: [
      signedIn(async (session, request, response) => {
        const { password } = parse(consoleSecondFactorStartRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        const options = await startPasskey(context, session, { password, clientAddress });
        succeed(response, "Passkey begun", { options });
      }),
    ],
  });

  serve(router, "/second-factor/passkeys/confirm", {
    post: [
      signedIn(async (session, request, response) => {
        const made = parse(consolePasskeyConfirmRequestSchema, request.body);
        succeed(response, "Passkey on", shapeSecondFactorOn(await confirmPasskey(context, session, made)));
      }),
    ],
  });

  serve(router, "/second-factor/passkeys/:passkey/rename", {
    post: [
      signedIn(async (session, request, response) => {
        const { name } = parse(consolePasskeyRenameRequestSchema, request.body);
        await renamePasskey(context, session, { id: pathParameter(request, "passkey"), name });
        succeed(response, "Passkey renamed", {});
      }),
    ],
  });

  serve(router, "/second-factor/passkeys/:passkey/remove", {
    post: [
      signedIn(async (session, request, response) => {
        await removePasskey(context, session, pathParameter(request, "passkey"));
        succeed(response, "Passkey removed", {});
      }),
    ],
  });
}
