import { z } from "zod";
import { consolePasskeySchema } from "./console-passkeys.js";
import { consoleEmail, consolePassword, newConsolePassword } from "./console-password.js";
import { memberRoleSchema } from "./console-rights.js";
import { successEnvelope } from "./envelope.js";
import { text, timestamp } from "./fields.js";

/** Longer than any code with spaces in it. */
const MAX_CODE = 40;

/** `POST /sign-in`. Ends the session that the request's header holds. */
export const consoleSignInRequestSchema = z.object({ email: consoleEmail, password: consolePassword });

/** `second_factor`: it may do nothing but show one, or sign out. */
export const consoleSessionStateSchema = z.enum(["signed_in", "second_factor"]);

/** A session's token, shown only here, for the browser's cookie. It replaces the one that the request came with. */
export const consoleSessionTokenSchema = z.object({
  session: z.string(),
  state: consoleSessionStateSchema,
  /** It ends then, or earlier when it is not used. */
  expires_at: timestamp,
});
export const consoleSessionTokenAnswerSchema = successEnvelope(consoleSessionTokenSchema);

/** `POST /second-factor/totp/start`, `/second-factor/passkeys/start`: who finds an open console cannot set up a second factor. */
export const consoleSecondFactorStartRequestSchema = z.object({ password: consolePassword });
/** `POST /password`: sets another one. */
export const consolePasswordChangeRequestSchema = z.object({
  password: consolePassword,
  new_password: newConsolePassword,
});
export const consoleTotpStartAnswerSchema = successEnvelope(
  z.object({
    /** Base32, to type into the app. Shown only here, like the address, which is for a QR code. */
    secret: z.string(),
    otpauth_uri: z.string(),
  }),
);

/** `POST /second-factor/totp` and `POST /second-factor/totp/confirm`: the six digits that the app shows. */
export const consoleTotpRequestSchema = z.object({ code: text(MAX_CODE) });
/** `POST /second-factor/recovery-code`: in any case, with or without hyphens. */
export const consoleRecoveryCodeRequestSchema = z.object({ code: text(MAX_CODE) });

/** Shown only here; each signs in once. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export const consoleRecoveryCodesAnswerSchema = successEnvelope(recoveryCodes);
/** A second factor is on. Recovery codes come with the first. */
export const consoleSecondFactorOnAnswerSchema = successEnvelope(
  consoleSessionTokenSchema.extend(recoveryCodes.shape),
);

/** `GET /second-factor`: what the user can show, also in a session that waits for it. */
export const consoleSecondFactorsAnswerSchema = successEnvelope(
  z.object({ totp: z.boolean(), passkeys: z.boolean() }),
);

/** `GET /me`. */
export const consoleMeAnswerSchema = successEnvelope(
  z.object({
    user: z.object({ user_id: z.uuid(), email: z.string(), role: z.enum(["administrator", "merchant"]) }),
    /** Where the user is a member, by name. None for an administrator, who may see any. */
    merchants: z.array(z.object({ merchant_id: z.uuid(), name: z.string(), role: memberRoleSchema })),
    session: z.object({ session_id: z.uuid(), expires_at: timestamp }),
    second_factor: z.object({
      /** Whether an authenticator app is set up. */
      totp: z.boolean(),
      passkeys: z.array(consolePasskeySchema),
      recovery_codes_left: z.int(),
      /** Until when money and secrets ask for no other; null: the next time they do. */
      fresh_until: timestamp.nullable(),
    }),
  }),
);

export const consoleSessionSchema = z.object({
  session_id: z.uuid(),
  /** The one that asks. */
  current: z.boolean(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  /** The IPv4 address or the IPv6 network, and the browser's own words. */
  client_network: z.string(),
  browser: z.string(),
});
/** `GET /sessions`: those that last, the most recently used first. */
export const consoleSessionListAnswerSchema = successEnvelope(
  z.object({ sessions: z.array(consoleSessionSchema) }),
);
/** How many sessions a call has ended. */
export const consoleRevokedAnswerSchema = successEnvelope(z.object({ revoked: z.int() }));
export const consoleDoneAnswerSchema = successEnvelope(z.object({}));
