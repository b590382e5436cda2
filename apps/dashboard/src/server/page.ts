import {
  type ConsoleRole,
  consoleMoneySchema,
  type consolePasskeySchema,
  type Mode,
} from "@tillgate/contract";
import { z } from "zod";
import type { languageSchema } from "#texts/languages.ts";
import { isTextKey, type TextKey, type TextValues } from "#texts/texts.ts";

const textKey = z.string().refine(isTextKey);
const textValues = z.record(z.string(), z.union([z.string(), z.number()]));

export const noticeSchema = z.object({
  tone: z.enum(["good", "bad", "note"]),
  text: textKey,
  values: textValues.optional(),
});
/** One sentence at the top of a page: what a form did. */
export type Notice = z.infer<typeof noticeSchema>;

export const secretSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("credential"), clientId: z.string().nullable(), secret: z.string() }),
  z.object({ kind: z.literal("endpoint"), secret: z.string() }),
  /** Where the owner of a shop goes back to, with a code that the shop exchanges. */
  z.object({ kind: z.literal("return"), address: z.string(), shop: z.string() }),
  z.object({ kind: z.literal("password"), text: z.string() }),
  z.object({ kind: z.literal("recovery"), codes: z.array(z.string()) }),
  z.object({
    kind: z.literal("recipient"),
    token: z.string(),
    name: z.string(),
    currencies: z.array(z.string()),
    /** Of the payout that is made again. */
    again: z.object({ money: consoleMoneySchema, received: z.string() }).optional(),
  }),
  z.object({
    kind: z.literal("quote"),
    id: z.string(),
    /** Makes a form that is sent twice pay once. */
    key: z.string(),
    name: z.string(),
    money: consoleMoneySchema,
    fee: consoleMoneySchema,
    total: consoleMoneySchema,
    received: consoleMoneySchema,
    rate: z.string(),
    expiresAt: z.string(),
  }),
  /** What the browser makes a passkey with, as JSON, and the name that it gets. */
  z.object({ kind: z.literal("passkey"), name: z.string(), options: z.string() }),
  z.object({ kind: z.literal("authenticator"), secret: z.string(), uri: z.string() }),
]);
/** What is shown once and never again, or until the form that needs it is sent. */
export type Secret = z.infer<typeof secretSchema>;

/** What the next page says or shows, once. */
export const flashSchema = z.object({ notice: noticeSchema.optional(), secret: secretSchema.optional() });
export type Flash = z.infer<typeof flashSchema>;

/** What is wrong with one field, or with the form as a whole (`field` is null). */
export type FormError = { field: string | null; text: TextKey; values?: TextValues };

/** What a form is about to do, with amounts as they were read. */
export type Question = {
  text: TextKey;
  values?: TextValues;
  facts: { label: TextKey; value: string }[];
  /** What the button that confirms it says. */
  button: TextKey;
  buttonValues?: TextValues;
};

/** A form that is shown again, as it was typed: with what is wrong, or with a question. */
export type FormState = {
  action: string;
  values: Record<string, string>;
  errors: FormError[];
  /** `digest` is sent back with the confirmation: another question is asked again. */
  question: (Question & { digest: string }) | null;
};

/** The merchant and mode of the address. */
export type Place = { merchantId: string; name: string | null; mode: Mode; role: ConsoleRole };

export type Passkey = z.infer<typeof consolePasskeySchema>;

export type PageUser = {
  email: string;
  administrator: boolean;
  totp: boolean;
  passkeys: Passkey[];
  /** Money and secrets ask for no other second factor now. */
  fresh: boolean;
  recoveryCodesLeft: number;
  merchants: { id: string; name: string; role: ConsoleRole }[];
};

/** What every page knows beside its own data. */
export type Page = {
  language: z.infer<typeof languageSchema>;
  /** What times are shown in, and whether somebody chose it, or their browser said so. */
  timeZone: string;
  timeZoneChosen: boolean;
  /** The address with its query: where forms are sent. */
  path: string;
  formToken: string;
  user: PageUser | null;
  place: Place | null;
  notice: Notice | null;
  secret: Secret | null;
  /** The secret once more, for a hidden field of a form that needs it again. */
  sealed: string | null;
  form: FormState | null;
};

/** Why a page is not shown. */
export type Problem =
  | "not_found"
  | "in_sandbox"
  | "in_live"
  | "link_over"
  | "unavailable"
  | "database_full"
  | "database_busy"
  | "forbidden"
  | "forged"
  | "failed";

/** Those that pass by themselves: the same page may be loaded again. */
export const PASSING_PROBLEMS: readonly Problem[] = ["unavailable", "database_full", "database_busy"];

export type PageProps<Data> = { page: Page; data: Data } | { page: Page; problem: Problem };

/** The page among the props that Next draws with; undefined on Next's own pages for errors. */
export const pageOf = (props: Partial<PageProps<unknown>> | undefined): Page | undefined => props?.page;
