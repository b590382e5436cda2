import { z } from "zod";
import { text } from "./fields.js";

/** How long an access token lasts, in seconds. */
export const ACCESS_TOKEN_SECONDS = 600;

/** `POST /authentication/token` */
export const tokenRequestSchema = z.object({ client_id: text(255), secret_id: text(255) });
export type TokenRequest = z.output<typeof tokenRequestSchema>;

/** A success answer of the token and payment API around `data`. */
export const paymentEnvelope = <T extends z.ZodType>(data: T) =>
  z.object({
    message: z.object({ code: z.literal(200), success: z.array(z.string()).min(1) }),
    data,
    type: z.literal("success"),
  });

export const tokenAnswerSchema = paymentEnvelope(
  z.object({ access_token: z.string(), expire_time: z.literal(ACCESS_TOKEN_SECONDS) }),
);
