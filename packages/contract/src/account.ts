import { z } from "zod";
import { successEnvelope } from "./envelope.js";
import { modeSchema } from "./fields.js";

/** Whose credentials these are: `GET /account`. */
export const accountSchema = z.object({
  merchant_name: z.string(),
  mode: modeSchema,
  /** The merchant's pages in the console, without a mode. Null without a console. */
  console_url: z.string().nullable(),
});
export type Account = z.infer<typeof accountSchema>;

export const accountAnswerSchema = successEnvelope(accountSchema);
