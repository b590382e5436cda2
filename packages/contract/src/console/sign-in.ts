import { z } from "zod";
import { newPasskeySchema, passkeySignatureSchema } from "../checkout/passkeys.js";
import { successEnvelope } from "../envelope.js";
import { displayName, text, timestamp } from "../fields.js";
import { memberRoleSchema } from "./rights.js";

/** The longest e-mail address (RFC 5321), and the longest password: what is hashed has a limit. */
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_000;
const MIN_PASSWORD = 12;
/** Longer than any token. */
const MAX_TOKEN = 100;

export const consoleEmail = text(MAX_EMAIL);
/** Of somebody who gets their first mail there. */
export const newConsoleEmail = consoleEmail.refine((text) => z.email().safeParse(text.trim()).success, {
  error: "must be an e-mail address",
});
export const consolePassword = text(MAX_PASSWORD);
/** A password that is set now. Length is what makes it hard to guess (NIST SP 800-63B): no rule asks for kinds of characters. */
export const newConsolePassword = consolePassword.refine((password) => [...password].length >= MIN_PASSWORD, {
  error: `must have at least ${MIN_PASSWORD} characters`,
});

export const consoleToken = text(MAX_TOKEN);

/** `POST /password-reset`: answers the same whether the address is known or not. */
export const consoleResetRequestSchema = z.object({ email: consoleEmail });
/** `POST /password-reset/link`: whether the mailed link still works. */
export const readResetLinkSchema = z.object({ token: consoleToken });
/** `POST /password-reset/confirm`: the token of the mailed link. */
export const consoleResetConfirmSchema = z.object({ token: consoleToken, password: newConsolePassword });

const MAX_NAME = 60;

export const passkeyName = displayName(MAX_NAME);

export const consolePasskeySchema = z.object({
  passkey_id: z.uuid(),
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

/** `POST /second-factor/passkeys/confirm`: a new passkey. */
export const consolePasskeyConfirmRequestSchema = z.object({
  name: passkeyName,
  credential: newPasskeySchema,
});

/** `POST /second-factor/passkey`: a passkey's signature. */
export const consolePasskeyRequestSchema = z.object({ credential: passkeySignatureSchema });

/** `POST /second-factor/passkeys/{passkey}/rename`. */
export const consolePasskeyRenameRequestSchema = z.object({ name: passkeyName });

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
export const consoleSessionTokenResponseSchema = successEnvelope(consoleSessionTokenSchema);

/** `POST /second-factor/totp/start`, `/second-factor/passkeys/start`: who finds an open console cannot set up a second factor. */
export const consoleSecondFactorStartRequestSchema = z.object({ password: consolePassword });
/** `POST /password`: sets another one. */
export const consolePasswordChangeRequestSchema = z.object({
  password: consolePassword,
  new_password: newConsolePassword,
});
export const consoleTotpStartResponseSchema = successEnvelope(
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
export const consoleRecoveryCodesResponseSchema = successEnvelope(recoveryCodes);
/** A second factor is on. Recovery codes come with the first. */
export const consoleSecondFactorOnResponseSchema = successEnvelope(
  consoleSessionTokenSchema.extend(recoveryCodes.shape),
);

/** `GET /second-factor`: what the user can show, also in a session that waits for it. */
export const consoleSecondFactorsResponseSchema = successEnvelope(
  z.object({ totp: z.boolean(), passkeys: z.boolean() }),
);

/** `GET /me`. */
export const consoleMeResponseSchema = successEnvelope(
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
export const consoleSessionListResponseSchema = successEnvelope(
  z.object({ sessions: z.array(consoleSessionSchema) }),
);
/** How many sessions a call has ended. */
export const consoleRevokedResponseSchema = successEnvelope(z.object({ revoked: z.int() }));
export const consoleDoneResponseSchema = successEnvelope(z.object({}));
