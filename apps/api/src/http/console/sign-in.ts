import {
  consolePasswordChangeRequestSchema,
  consoleResetConfirmSchema,
  consoleResetRequestSchema,
  consoleSignInRequestSchema,
  readResetLinkSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import type { Context } from "../../context.js";
import type { Member, OpenInvitation } from "../../identity/console/members.js";
import type { AddedSecondFactor } from "../../identity/console/own-second-factors.js";
import {
  changeOwnPassword,
  requestPasswordReset,
  requireResetLink,
  resetPassword,
} from "../../identity/console/passwords.js";
import {
  type ConsoleSession,
  type ConsoleUserView,
  endConsoleSession,
  type ListedSession,
  listConsoleSessions,
  revokeConsoleSession,
  revokeOtherSessions,
  type SessionToken,
  viewConsoleUser,
} from "../../identity/console/session.js";
import { signInToConsole } from "../../identity/console/sign-in.js";
import { getEndUserAddress } from "../shared/admit.js";
import { parse, pathParameter } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { wireTime } from "../shared/shapes.js";
import { readClient, readSessionToken, withSignedIn } from "./caller.js";

export const toToken = ({ token, waiting, expiresAt }: SessionToken) => ({
  session: token,
  state: waiting ? "second_factor" : "signed_in",
  expires_at: wireTime(expiresAt),
});

export const toAddedSecondFactor = ({ recoveryCodes, ...token }: AddedSecondFactor) => ({
  ...toToken(token),
  recovery_codes: recoveryCodes,
});

const toMe = (
  { id, user, expiresAt, freshUntil }: ConsoleSession,
  { merchants, totp, passkeys, recoveryCodesLeft }: ConsoleUserView,
) => ({
  user: { user_id: user.id, email: user.email, role: user.role },
  merchants: merchants.map(({ id: merchant_id, name, role }) => ({ merchant_id, name, role })),
  session: { session_id: id, expires_at: wireTime(expiresAt) },
  second_factor: {
    totp,
    passkeys: passkeys.map(({ id: passkey_id, name, createdAt, lastUsedAt }) => ({
      passkey_id,
      name,
      created_at: wireTime(createdAt),
      last_used_at: lastUsedAt && wireTime(lastUsedAt),
    })),
    recovery_codes_left: recoveryCodesLeft,
    fresh_until: freshUntil && wireTime(freshUntil),
  },
});

const toSession = (listed: ListedSession, current: ConsoleSession) => ({
  session_id: listed.id,
  current: listed.id === current.id,
  created_at: wireTime(listed.createdAt),
  last_seen_at: wireTime(listed.lastSeenAt),
  expires_at: wireTime(listed.expiresAt),
  client_network: listed.clientNetwork,
  browser: listed.browser,
});

export const toMember = ({ userId, email, role, disabled, since, keys }: Member) => ({
  user_id: userId,
  email,
  role,
  disabled,
  since: wireTime(since),
  keys,
});

export const toInvitation = ({ id, email, role, invitedBy, expiresAt }: OpenInvitation) => ({
  invitation_id: id,
  email,
  role,
  invited_by: invitedBy,
  expires_at: wireTime(expiresAt),
});

export function serveSignIn(router: Router, context: Context): void {
  const signedIn = withSignedIn(context);

  serve(router, "/sign-in", {
    post: async (request, response) => {
      const fields = parse(consoleSignInRequestSchema, request.body);
      const before = readSessionToken(request);
      const token = await signInToConsole(context, { ...fields, ...readClient(request), before });
      succeed(response, token.waiting ? "Second factor required" : "Signed in", toToken(token));
    },
  });

  serve(router, "/sign-out", {
    post: async (request, response) => {
      const token = readSessionToken(request);
      if (token !== undefined) await endConsoleSession(context, token);
      succeed(response, "Signed out", {});
    },
  });

  serve(router, "/me", {
    get: signedIn(async (session, _request, response) => {
      succeed(response, "User retrieved", toMe(session, await viewConsoleUser(context, session)));
    }),
  });

  serve(router, "/password", {
    post: signedIn(async (session, request, response) => {
      const { password, new_password } = parse(consolePasswordChangeRequestSchema, request.body);
      const clientAddress = getEndUserAddress(request);
      await changeOwnPassword(context, session, { password, newPassword: new_password, clientAddress });
      succeed(response, "Password changed", {});
    }),
  });

  serve(router, "/sessions", {
    get: signedIn(async (session, _request, response) => {
      const sessions = await listConsoleSessions(context, session);
      succeed(response, "Sessions retrieved", {
        sessions: sessions.map((listed) => toSession(listed, session)),
      });
    }),
  });

  serve(router, "/sessions/revoke-others", {
    post: signedIn(async (session, _request, response) => {
      succeed(response, "Done", { revoked: await revokeOtherSessions(context.database.prisma, session) });
    }),
  });

  serve(router, "/sessions/:session/revoke", {
    post: signedIn(async (session, request, response) => {
      await revokeConsoleSession(context, session, pathParameter(request, "session"));
      succeed(response, "Done", { revoked: 1 });
    }),
  });
}

export function servePasswordResets(router: Router, context: Context): void {
  serve(router, "/password-reset", {
    post: async (request, response) => {
      const { email } = parse(consoleResetRequestSchema, request.body);
      await requestPasswordReset(context, { email, clientAddress: getEndUserAddress(request) });
      succeed(response, "If the address is known, a link has been sent", {});
    },
  });

  serve(router, "/password-reset/link", {
    post: async (request, response) => {
      await requireResetLink(context, parse(readResetLinkSchema, request.body).token);
      succeed(response, "The link is valid", {});
    },
  });

  serve(router, "/password-reset/confirm", {
    post: async (request, response) => {
      await resetPassword(context, parse(consoleResetConfirmSchema, request.body));
      succeed(response, "Password set", {});
    },
  });
}
