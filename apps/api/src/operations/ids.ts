import { randomBytes, randomInt } from "node:crypto";

/** A–Z and 0–9 without the look-alikes I, O, 0 and 1. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 6;
const TRX_DIGITS = 12;
const TOKEN_BYTES = 24;

const code = () => Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
const day = (now: Date) => now.toISOString().slice(0, 10).replaceAll("-", "");

/** `POS-YYYYMMDD-XXXXXX`, the UTC day of creation in it. */
export const newOrderId = (now: Date) => `POS-${day(now)}-${code()}`;

/** `RF-YYYYMMDD-XXXXXX` */
export const newRefundId = (now: Date) => `RF-${day(now)}-${code()}`;

/** `TRX-` and 12 digits. */
export const newTrxId = () => `TRX-${String(randomInt(10 ** TRX_DIGITS)).padStart(TRX_DIGITS, "0")}`;

/** The unguessable part of a payment page's address: 192 random bits. */
export const newPaymentToken = () => randomBytes(TOKEN_BYTES).toString("base64url");
