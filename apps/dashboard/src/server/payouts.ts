import type { lookupResponseSchema } from "@tillgate/contract";
import type { z } from "zod";
import type { Secret } from "./page";

type Found = z.infer<typeof lookupResponseSchema>["data"];
type Recipient = Extract<Secret, { kind: "recipient" }>;

export const toRecipient = ({ lookup_token: token, recipient }: Found): Recipient => ({
  kind: "recipient",
  token,
  name: recipient.name,
  currencies: recipient.currencies.map(({ code }) => code),
});
