import { z } from "zod";
import { displayName, timestamp } from "./fields.js";
import { newPasskeySchema, passkeySignatureSchema } from "./passkeys.js";

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
