import { z } from "zod";
import { newPasskeySchema, passkeySignatureSchema } from "../checkout/passkeys.js";
import { successEnvelope } from "../envelope.js";
import { displayName, text, timestamp } from "../fields.js";
import { memberRoleSchema } from "./rights.js";

/** E-mail addresses are limited by RFC 5321; passwords are limited to bound the cost of hashing. */
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1_000;
const MIN_PASSWORD = 12;
/** Longer than any token. */
const MAX_TOKEN = 100;

export const consoleEmail = text(MAX_EMAIL);
export const newConsoleEmail = consoleEmail.refine((text) => z.email().safeParse(text.trim()).success, {
  error: "must be an e-mail address",
});
export const consolePassword = text(MAX_PASSWORD);
/** Length is the only requirement, because NIST SP 800-63B advises against composition rules. */
export const newConsolePassword = consolePassword.refine((password) => [...password].length >= MIN_PASSWORD, {
  error: `must have at least ${MIN_PASSWORD} characters`,
});

export const consoleToken = text(MAX_TOKEN);

/** `POST /password-reset`: same response for known and unknown addresses. */
export const consoleResetRequestSchema = z.object({ email: consoleEmail });
/** `POST /password-reset/link` */
export const readResetLinkSchema = z.object({ token: consoleToken });
/** `POST /password-reset/confirm` */
export const consoleResetConfirmSchema = z.object({ token: consoleToken, password: newConsolePassword });

const MAX_NAME = 60;

export const passkeyName = displayName(MAX_NAME);

export const consolePasskeySchema = z.object({
  passkey_id: z.uuid(),
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

/** `POST /second-factor/passkeys/confirm` */
export const consolePasskeyConfirmRequestSchema = z.object({
  name: passkeyName,
  credential: newPasskeySchema,
});

/** `POST /second-factor/passkey` */
export const consolePasskeyRequestSchema = z.object({ credential: passkeySignatureSchema });

/** `POST /second-factor/passkeys/{passkey}/rename` */
export const consolePasskeyRenameRequestSchema = z.object({ name: passkeyName });

/** Longer than any code with spaces. */
const MAX_CODE = 40;

/** `POST /sign-in`: ends the session sent with the request. */
export const consoleSignInRequestSchema = z.object({ email: consoleEmail, password: consolePassword });

/** `second_factor`: the session can only submit a second factor or sign out. */
export const consoleSessionStateSchema = z.enum(["signed_in", "second_factor"]);

/** The token for the browser's cookie, returned only once. It replaces the token sent with the request. */
export const consoleSessionTokenSchema = z.object({
  session: z.string(),
  state: consoleSessionStateSchema,
  /** Idle sessions end earlier. */
  expires_at: timestamp,
});
export const consoleSessionTokenResponseSchema = successEnvelope(consoleSessionTokenSchema);

/** `POST /second-factor/totp/start`, `/second-factor/passkeys/start`: with the password, so that an unattended session is not enough. */
export const consoleSecondFactorStartRequestSchema = z.object({ password: consolePassword });
/** `POST /password` */
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

/** Recovery codes are single-use and returned only once. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export const consoleRecoveryCodesResponseSchema = successEnvelope(recoveryCodes);
/** Recovery codes are returned only with the first second factor. */
export const consoleSecondFactorOnResponseSchema = successEnvelope(
  consoleSessionTokenSchema.extend(recoveryCodes.shape),
);

/** `GET /second-factor`: allowed even before the session has confirmed a second factor. */
export const consoleSecondFactorsResponseSchema = successEnvelope(
  z.object({ totp: z.boolean(), passkeys: z.boolean() }),
);

/** `GET /me` */
export const consoleMeResponseSchema = successEnvelope(
  z.object({
    user: z.object({ user_id: z.uuid(), email: z.string(), role: z.enum(["administrator", "merchant"]) }),
    /** Sorted by name. Empty for an administrator, who can see every merchant. */
    merchants: z.array(z.object({ merchant_id: z.uuid(), name: z.string(), role: memberRoleSchema })),
    session: z.object({ session_id: z.uuid(), expires_at: timestamp }),
    second_factor: z.object({
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
  current: z.boolean(),
  created_at: timestamp,
  last_seen_at: timestamp,
  expires_at: timestamp,
  /** The IPv4 address or IPv6 network. */
  client_network: z.string(),
  browser: z.string(),
});
/** `GET /sessions`: most recently used first. */
export const consoleSessionListResponseSchema = successEnvelope(
  z.object({ sessions: z.array(consoleSessionSchema) }),
);
/** The number of sessions that the call ended. */
export const consoleRevokedResponseSchema = successEnvelope(z.object({ revoked: z.int() }));
export const consoleDoneResponseSchema = successEnvelope(z.object({}));
