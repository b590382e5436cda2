import { z } from "zod";
import { successEnvelope } from "../envelope.js";
import { displayName, text } from "../fields.js";
import { MAX_LOGO_BYTES } from "../limits.js";

const MAX_LOGO_CHARACTERS = Math.ceil(MAX_LOGO_BYTES / 3) * 4;
const COLOUR = /^#[0-9a-f]{6}$/i;
/** `#rrggbb` */
const colour = text(7).refine((value) => COLOUR.test(value), {
  error: "must be a colour written #rrggbb, such as #0b7a75",
});

/** `GET /merchants/{merchant}/profile`: fields that the merchant cannot change are set by administrators. */
export const consoleProfileResponseSchema = successEnvelope(
  z.object({
    merchant_id: z.uuid(),
    name: z.string(),
    suspended: z.boolean(),
    partner_api: z.boolean(),
    refunds_need_approval: z.boolean(),
    /** Recipient of endpoint notices; null for the merchant's console users. */
    notice_email: z.string().nullable(),
    mails: z.object({ approvals: z.array(z.string()), summary: z.array(z.string()) }),
    /** The current user's subscription to the monthly report by e-mail; `month` is the next month to report. Null without a subscription. */
    monthly_report: z.object({ time_zone: z.string(), month: z.string() }).nullable(),
  }),
);
/** `approvals`: pending approvals. `summary`: a daily summary. */
export const mailTopicSchema = z.enum(["approvals", "summary"]);
export type MailTopic = z.infer<typeof mailTopicSchema>;
export const MAX_MAIL_ADDRESSES = 5;
const addresses = z.array(text(254)).max(MAX_MAIL_ADDRESSES).optional();
/** `POST /merchants/{merchant}/profile`: omitted fields stay unchanged. */
export const consoleProfileRequestSchema = z.object({
  notice_email: z.string().nullable().optional(),
  mails: z.object({ approvals: addresses, summary: addresses }).optional(),
});

/** `POST /merchants/{merchant}/monthly-report`: for the current user, in the user's time zone. */
export const consoleMonthlyReportRequestSchema = z.object({ enabled: z.boolean() });

/** `GET /merchants/{merchant}/branding` */
export const consoleBrandingResponseSchema = successEnvelope(
  z.object({
    name: z.string().nullable(),
    accent: z.string().nullable(),
    /** A `data:` URL. */
    logo: z.string().nullable(),
  }),
);
/** `POST /merchants/{merchant}/branding`: null removes a field; omitted fields stay unchanged. */
export const consoleBrandingRequestSchema = z.object({
  name: displayName(60).nullable().optional(),
  accent: colour.nullable().optional(),
  /** A PNG, JPEG or WebP image in base64. */
  logo: z
    .base64({ error: "must be an image in base64" })
    .max(MAX_LOGO_CHARACTERS, { error: `must not be longer than ${MAX_LOGO_CHARACTERS} characters` })
    .nullable()
    .optional(),
});

/** `GET /merchants/{merchant}/branding/preview` */
export const consoleAccentPreviewQuerySchema = z.object({ accent: colour });

/** An accent on one theme of the page. Contrasts are WCAG ratios, from 1 to 21. */
const shownAccent = z.object({
  /** The merchant's colour, or the nearest shade with enough contrast. */
  color: z.string(),
  /** Text colour of a button in `color`. */
  text: z.string(),
  text_contrast: z.number(),
  /** Contrast of the merchant's colour with the page. Below `least_contrast`, another shade replaces it. */
  own_contrast: z.number(),
});
export type ConsoleAccentShade = z.infer<typeof shownAccent>;
export const consoleAccentPreviewResponseSchema = successEnvelope(
  z.object({ light: shownAccent, dark: shownAccent, least_contrast: z.number() }),
);
