import { consolePasswordChangeRequestSchema, consoleSignInRequestSchema } from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import { changeOwnPassword } from "../../operations/console/change-password.js";
import {
  endConsoleSession,
  listConsoleSessions,
  revokeConsoleSession,
  revokeOtherSessions,
} from "../../operations/console/console-session.js";
import { consoleSignIn } from "../../operations/console/sign-in.js";
import { viewConsoleUser } from "../../operations/console/view-console-user.js";
import { succeed } from "../shared/answer.js";
import { clientAddressSaid } from "../shared/internal-edge.js";
import { parse } from "../shared/parse.js";
import { pathParameter } from "../shared/path-parameter.js";
import { serve } from "../shared/routes.js";
import { clientOf, sessionTokenOf, signedInOn } from "./caller.js";
import { shapeMe, shapeSession, shapeToken } from "./session-shapes.js";

/** Signing in and out, and the user's own sessions. */
export function serveSignIn(router: Router, context: Context): void {
  const signedIn = signedInOn(context);

  serve(router, "/sign-in", {
    post: [
      async (request, response) => {
        const fields = parse(consoleSignInRequestSchema, request.body);
        const before = sessionTokenOf(request);
        const token = await consoleSignIn(context, { ...fields, ...clientOf(request), before });
        succeed(response, "Signed in", shapeToken(token));
      },
    ],
  });

  serve(router, "/sign-out", {
    post: [
      async (request, response) => {
        const token = sessionTokenOf(request);
        if (token !== undefined) await endConsoleSession(context, token);
        succeed(response, "Signed out", {});
      },
    ],
  });

  serve(router, "/me", {
    get: [
      signedIn(async (session, _request, response) => {
        succeed(response, "User retrieved", shapeMe(session, await viewConsoleUser(context, session)));
      }),
    ],
  });

  serve(router, "/password", {
    post: [
      signedIn(async (session, request, response) => {
        const { password, new_password } = parse(consolePasswordChangeRequestSchema, request.body);
        const clientAddress = clientAddressSaid(request);
        await changeOwnPassword(context, session, { password, newPassword: new_password, clientAddress });
        succeed(response, "Password changed", {});
      }),
    ],
  });

  serve(router, "/sessions", {
    get: [
      signedIn(async (session, _request, response) => {
        const sessions = await listConsoleSessions(context, session);
        succeed(response, "Sessions retrieved", {
          sessions: sessions.map((one) => shapeSession(one, session)),
        });
      }),
    ],
  });

  serve(router, "/sessions/revoke-others", {
    post: [
      signedIn(async (session, _request, response) => {
        succeed(response, "Done", { revoked: await revokeOtherSessions(context.database.prisma, session) });
      }),
    ],
  });

  serve(router, "/sessions/:session/revoke", {
    post: [
      signedIn(async (session, request, response) => {
        await revokeConsoleSession(context, session, pathParameter(request, "session"));
        succeed(response, "Done", { revoked: 1 });
      }),
    ],
  });
}
