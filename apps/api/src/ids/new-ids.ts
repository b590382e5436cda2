import { randomBytes, randomInt } from "node:crypto";

/** A–Z and 0–9 without the look-alikes I, O, 0 and 1. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 6;
const TRX_DIGITS = 12;
const TOKEN_BYTES = 24;

const PAYOUT_CODE_LENGTH = 8;
const PARTNER_TRX_DIGITS = 10;

const code = (length = CODE_LENGTH) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
const day = (now: Date) => now.toISOString().slice(0, 10).replaceAll("-", "");

/** `POS-YYYYMMDD-XXXXXX`, the UTC day of creation in it. */
export const newOrderId = (now: Date) => `POS-${day(now)}-${code()}`;

/** `RF-YYYYMMDD-XXXXXX` */
export const newRefundId = (now: Date) => `RF-${day(now)}-${code()}`;

/** `TRX-` and 12 digits. */
export const newTrxId = () => `TRX-${String(randomInt(10 ** TRX_DIGITS)).padStart(TRX_DIGITS, "0")}`;

/** `PO` and 8 characters. */
export const newPayoutId = () => `PO${code(PAYOUT_CODE_LENGTH)}`;

/** `PP` and 10 digits. */
export const newPartnerTrxId = () =>
  `PP${String(randomInt(10 ** PARTNER_TRX_DIGITS)).padStart(PARTNER_TRX_DIGITS, "0")}`;

/** The unguessable part of a payment page's address: 192 random bits. */
export const newPaymentToken = () => randomBytes(TOKEN_BYTES).toString("base64url");
