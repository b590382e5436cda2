import { z } from "zod";
import { successEnvelope } from "./envelope.js";
import { text } from "./fields.js";

/** The most characters of a picture in base64, so that a body holds it; larger ones are for the command of administration. */
const MAX_LOGO_CHARACTERS = 60_000;

/** `GET /merchants/{merchant}/profile`. What is not the merchant's to change, an administrator sets. */
export const consoleProfileAnswerSchema = successEnvelope(
  z.object({
    merchant_id: z.uuid(),
    name: z.string(),
    suspended: z.boolean(),
    partner_api: z.boolean(),
    refunds_need_approval: z.boolean(),
    /** Where notices about endpoints are mailed; null: to its console users. */
    notice_email: z.string().nullable(),
  }),
);
/** `POST /merchants/{merchant}/profile`. */
export const consoleProfileRequestSchema = z.object({ notice_email: z.string().nullable() });

/** `GET /merchants/{merchant}/branding`: how it looks on the payment page. */
export const consoleBrandingAnswerSchema = successEnvelope(
  z.object({
    name: z.string().nullable(),
    accent: z.string().nullable(),
    /** The picture as a `data:` address. */
    logo: z.string().nullable(),
  }),
);
/** `POST /merchants/{merchant}/branding`: null removes a part; one that is left out does not change. */
export const consoleBrandingRequestSchema = z.object({
  name: text(60).nullable().optional(),
  /** `#rrggbb` */
  accent: text(7).nullable().optional(),
  /** A PNG, JPEG or WebP picture in base64. */
  logo: z
    .base64({ error: "must be a picture in base64" })
    .max(MAX_LOGO_CHARACTERS, { error: `must not be longer than ${MAX_LOGO_CHARACTERS} characters` })
    .nullable()
    .optional(),
});
