import { Secret, TOTP } from "otpauth";

/** What RFC 6238 names and every authenticator app knows: SHA-1, six digits, steps of 30 seconds. */
const STANDARD = { issuer: "Tillgate", algorithm: "SHA1", digits: 6, period: 30 } as const;
/** 160 bits, as long as the hash (RFC 4226). */
const SECRET_BYTES = 20;
/** How many steps an app's clock may be off, each way. */
const DRIFT_STEPS = 1;

/** A new secret for an authenticator app, and the address that its QR code holds. */
export function newTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ ...STANDARD, label: email, secret: new Secret({ size: SECRET_BYTES }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step whose code this is, spaces or not; null for a wrong code and one that is too old or too early. */
export function stepOfCode(secret: string, code: string): number | null {
  const totp = new TOTP({ ...STANDARD, secret });
  const timestamp = Date.now();
  const delta = totp.validate({ token: code.replace(/\s/g, ""), window: DRIFT_STEPS, timestamp });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
