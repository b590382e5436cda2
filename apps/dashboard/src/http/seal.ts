import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { config } from "#config.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = (use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", config().consoleKey, "", `tillgate console ${use}`, 32));

/** Encrypts a value for a cookie or a hidden field, bound to a visitor. */
export function seal(value: unknown, boundTo: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", keyFor("seal"), nonce).setAAD(Buffer.from(boundTo));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Decrypts a value from {@link seal}. Returns null for any other text, including a value bound to another visitor. */
export function unseal(text: string, boundTo: string): unknown {
  const bytes = Buffer.from(text, "base64url");
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const nonce = bytes.subarray(0, NONCE_BYTES);
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyFor("seal"), nonce)
      .setAAD(Buffer.from(boundTo))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const opened = [decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()];
    return JSON.parse(Buffer.concat(opened).toString("utf8"));
  } catch {
    return null;
  }
}

/** Creates the CSRF token for a visitor's forms, bound to the visitor and the session. */
export const createFormToken = (visitor: string, session: string | null): string =>
  createHmac("sha256", keyFor("form token"))
    .update(`${visitor}\n${session ?? ""}`)
    .digest("base64url");

/** Returns whether a form's CSRF token belongs to the visitor and session; compares in constant time. */
export function isValidFormToken(
  receivedToken: string | null,
  visitor: string,
  session: string | null,
): boolean {
  const expected = Buffer.from(createFormToken(visitor, session));
  const shown = Buffer.from(receivedToken ?? "");
  return shown.length === expected.length && timingSafeEqual(shown, expected);
}
