import type { lookupResponseSchema } from "@tillgate/contract";
import type { z } from "zod";
import type { Secret } from "./page";

type Found = z.infer<typeof lookupResponseSchema>["data"];
type Recipient = Extract<Secret, { kind: "recipient" }>;

/** Converts the API's lookup response into the recipient of a new payout. */
export const toRecipient = ({ lookup_token: token, recipient }: Found): Recipient => ({
  kind: "recipient",
  token,
  name: recipient.name,
  currencies: recipient.currencies.map(({ code }) => code),
});
