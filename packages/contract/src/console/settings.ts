import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { displayName, text } from "../fields.js";
import { MAX_LOGO_BYTES } from "../limits.js";

/** The most characters of a picture in base64. */
const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4;
const COLOUR = /^#[0-9a-f]{6}$/i;
/** `#rrggbb` */
const colour = text(7).refine((given) => COLOUR.test(given), {
  error: "must be a colour written #rrggbb, such as #0b7a75",
});

/** `GET /merchants/{merchant}/profile`. What is not the merchant's to change, an administrator sets. */
export const consoleProfileResponseSchema = successEnvelope(
  z.object({
    merchant_id: z.uuid(),
    name: z.string(),
    suspended: z.boolean(),
    partner_api: z.boolean(),
    refunds_need_approval: z.boolean(),
    /** Where notices about endpoints are mailed; null: to its console users. */
    notice_email: z.string().nullable(),
    /** Where mails about other topics go. */
    mails: z.object({ approvals: z.array(z.string()), summary: z.array(z.string()) }),
  }),
);
/** What a merchant may be mailed: what waits for approval; what a day brought, once a day. */
export const mailTopicSchema = z.enum(["approvals", "summary"]);
export type MailTopic = z.infer<typeof mailTopicSchema>;
/** The most addresses of one topic. */
export const MAX_MAIL_ADDRESSES = 5;
const addresses = z.array(text(254)).max(MAX_MAIL_ADDRESSES).optional();
/** `POST /merchants/{merchant}/profile`: a part that is left out does not change. */
export const consoleProfileRequestSchema = z.object({
  notice_email: z.string().nullable().optional(),
  mails: z.object({ approvals: addresses, summary: addresses }).optional(),
});

/** `GET /merchants/{merchant}/branding`: how it looks on the payment page. */
export const consoleBrandingResponseSchema = successEnvelope(
  z.object({
    name: z.string().nullable(),
    accent: z.string().nullable(),
    /** The picture as a `data:` address. */
    logo: z.string().nullable(),
  }),
);
/** `POST /merchants/{merchant}/branding`: null removes a part; one that is left out does not change. */
export const consoleBrandingRequestSchema = z.object({
  name: displayName(60).nullable().optional(),
  accent: colour.nullable().optional(),
  /** A PNG, JPEG or WebP picture in base64. */
  logo: z
    .base64({ error: "must be a picture in base64" })
    .max(MAX_LOGO_CHARACTERS, { error: `must not be longer than ${MAX_LOGO_CHARACTERS} characters` })
    .nullable()
    .optional(),
});

/** `GET /merchants/{merchant}/branding/preview`: an accent colour that nothing keeps. */
export const consoleAccentPreviewQuerySchema = z.object({ accent: colour });

/** How a colour appears on one kind of page. Contrasts are WCAG's, from 1 to 21. */
const shownAccent = z.object({
  /** The colour itself, or the nearest shade that shows there. */
  color: z.string(),
  /** Of a button's text on it. */
  text: z.string(),
  text_contrast: z.number(),
  /** Of the colour itself with the page; below `least_contrast` another shade takes its place. */
  own_contrast: z.number(),
});
export type ConsoleAccentShade = z.infer<typeof shownAccent>;
export const consoleAccentPreviewResponseSchema = successEnvelope(
  z.object({ light: shownAccent, dark: shownAccent, least_contrast: z.number() }),
);
