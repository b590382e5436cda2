import { randomBytes } from "node:crypto";

const TOKEN_BYTES = 24;

/** The unguessable part of a payment page's address: 192 random bits. */
export const newPaymentToken = () => randomBytes(TOKEN_BYTES).toString("base64url");
