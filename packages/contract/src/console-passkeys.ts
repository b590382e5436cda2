import { z } from "zod";
import { successEnvelope } from "./envelope.js";
import { text, timestamp } from "./fields.js";

const MAX_NAME = 60;
/** Longer than what any authenticator makes. */
const MAX_BASE64URL = 20_000;
const MAX_TRANSPORTS = 10;

export const passkeyName = text(MAX_NAME);

export const consolePasskeySchema = z.object({
  passkey_id: z.uuid(),
  name: z.string(),
  created_at: timestamp,
  last_used_at: timestamp.nullable(),
});

/**
 * `POST /second-factor/passkeys/start`, `POST /second-factor/passkey/start`: what the browser's `navigator.credentials` is
 * called with, as WebAuthn writes it in JSON.
 */
export const consolePasskeyOptionsAnswerSchema = successEnvelope(
  z.object({ options: z.looseObject({ challenge: z.string() }) }),
);

const base64url = z.string().max(MAX_BASE64URL);
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}).default({}),
};

/** `POST /second-factor/passkeys/confirm`: a new passkey, as WebAuthn writes it in JSON. */
export const consolePasskeyConfirmRequestSchema = z.object({
  name: passkeyName,
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z.array(z.string().max(MAX_NAME)).max(MAX_TRANSPORTS).default([]),
    }),
  }),
});

/** `POST /second-factor/passkey`: a passkey's signature, as WebAuthn writes it in JSON. */
export const consolePasskeyRequestSchema = z.object({
  credential: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
    }),
  }),
});

/** `POST /second-factor/passkeys/{passkey}/rename`. */
export const consolePasskeyRenameRequestSchema = z.object({ name: passkeyName });
