import { z } from "zod";
import { successEnvelope } from "../envelope.js";

/** Longer than any authenticator's output. */
const MAX_BASE64URL = 20_000;
const MAX_TRANSPORT = 60;
const MAX_TRANSPORTS = 10;

/** Options for `navigator.credentials`, in WebAuthn's JSON encoding. */
export const passkeyOptionsResponseSchema = successEnvelope(
  z.object({ options: z.looseObject({ challenge: z.string() }) }),
);

const base64url = z.string().max(MAX_BASE64URL);
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  clientExtensionResults: z.looseObject({}).default({}),
};

/** WebAuthn's JSON encoding. */
export const newPasskeySchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(MAX_TRANSPORT)).max(MAX_TRANSPORTS).default([]),
  }),
});

/** WebAuthn's JSON encoding. */
export const passkeySignatureSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
  }),
});
export type PasskeySignature = z.infer<typeof passkeySignatureSchema>;
