import { z } from "zod";
import { newPasskeySchema, passkeySignatureSchema } from "../checkout/passkeys.js";
import { successEnvelope } from "../envelope.js";
import { displayName, text, timestamp } from "../fields.js";
import { memberRoleSchema } from "./rights.js";

/** Maximum length of an e-mail address (RFC 5321) and of a password, which bounds the cost of hashing. */
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_000;
const MIN_PASSWORD = 12;
/** Longer than any token. */
const MAX_TOKEN = 100;

export const consoleEmail = text(MAX_EMAIL);
/** A new e-mail address. Only its format is checked here. */
export const newConsoleEmail = consoleEmail.refine((text) => z.email().safeParse(text.trim()).success, {
  error: "must be an e-mail address",
});
export const consolePassword = text(MAX_PASSWORD);
/** A new password. Its length is the only requirement, because NIST SP 800-63B advises against composition rules. */
export const newConsolePassword = consolePassword.refine((password) => [...password].length >= MIN_PASSWORD, {
  error: `must have at least ${MIN_PASSWORD} characters`,
});

export const consoleToken = text(MAX_TOKEN);

/** `POST /password-reset`: same response for known and unknown addresses. */
export const consoleResetRequestSchema = z.object({ email: consoleEmail });
/** `POST /password-reset/link`: whether the e-mailed link is still valid. */
export const readResetLinkSchema = z.object({ token: consoleToken });
/** `POST /password-reset/confirm`: with the token of the e-mailed link. */
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

/** Longer than any code with spaces. */
const MAX_CODE = 40;

/** `POST /sign-in`. Ends the session sent with the request. */
export const consoleSignInRequestSchema = z.object({ email: consoleEmail, password: consolePassword });

/** `second_factor`: the session can only submit a second factor or sign out. */
export const consoleSessionStateSchema = z.enum(["signed_in", "second_factor"]);

/** A session token for the browser's cookie, returned only once. It replaces the token sent with the request. */
export const consoleSessionTokenSchema = z.object({
  session: z.string(),
  state: consoleSessionStateSchema,
  /** Latest expiry; idle sessions end earlier. */
  expires_at: timestamp,
});
export const consoleSessionTokenResponseSchema = successEnvelope(consoleSessionTokenSchema);

/** `POST /second-factor/totp/start`, `/second-factor/passkeys/start`: requires the password, so that an unattended session is not enough. */
export const consoleSecondFactorStartRequestSchema = z.object({ password: consolePassword });
/** `POST /password`: changes the password. */
export const consolePasswordChangeRequestSchema = z.object({
  password: consolePassword,
  new_password: newConsolePassword,
});
export const consoleTotpStartResponseSchema = successEnvelope(
  z.object({
    /** Base32, to type into the app. Returned only once, like the URL, which is for a QR code. */
    secret: z.string(),
    otpauth_uri: z.string(),
  }),
);

/** `POST /second-factor/totp` and `POST /second-factor/totp/confirm`: the app's six digits. */
export const consoleTotpRequestSchema = z.object({ code: text(MAX_CODE) });
/** `POST /second-factor/recovery-code`: case-insensitive, hyphens optional. */
export const consoleRecoveryCodeRequestSchema = z.object({ code: text(MAX_CODE) });

/** Single-use codes, returned only once. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export const consoleRecoveryCodesResponseSchema = successEnvelope(recoveryCodes);
/** Response after a second factor is set up; recovery codes only with the first. */
export const consoleSecondFactorOnResponseSchema = successEnvelope(
  consoleSessionTokenSchema.extend(recoveryCodes.shape),
);

/** `GET /second-factor`: the user's second factors, even before the session has confirmed one. */
export const consoleSecondFactorsResponseSchema = successEnvelope(
  z.object({ totp: z.boolean(), passkeys: z.boolean() }),
);

/** `GET /me`. */
export const consoleMeResponseSchema = successEnvelope(
  z.object({
    user: z.object({ user_id: z.uuid(), email: z.string(), role: z.enum(["administrator", "merchant"]) }),
    /** The user's memberships, by name. Empty for an administrator, who can see every merchant. */
    merchants: z.array(z.object({ merchant_id: z.uuid(), name: z.string(), role: memberRoleSchema })),
    session: z.object({ session_id: z.uuid(), expires_at: timestamp }),
    second_factor: z.object({
      /** Whether an authenticator app is set up. */
      totp: z.boolean(),
      passkeys: z.array(consolePasskeySchema),
      recovery_codes_left: z.int(),
      /** Until when the second factor counts as recently verified; null if it does not. */
      fresh_until: timestamp.nullable(),
    }),
  }),
);

export const consoleSessionSchema = z.object({
  session_id: z.uuid(),
  /** Whether it is the requesting session. */
  current: z.boolean(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  /** The IPv4 address or IPv6 network, and the `User-Agent`. */
  client_network: z.string(),
  browser: z.string(),
});
/** `GET /sessions`: active sessions, most recently used first. */
export const consoleSessionListResponseSchema = successEnvelope(
  z.object({ sessions: z.array(consoleSessionSchema) }),
);
/** Number of sessions that the call ended. */
export const consoleRevokedResponseSchema = successEnvelope(z.object({ revoked: z.int() }));
export const consoleDoneResponseSchema = successEnvelope(z.object({}));
