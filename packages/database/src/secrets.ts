import { createCipheriv, createDecipheriv, hash, randomBytes, randomInt } from "node:crypto";
import argon2 from "argon2";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SECRET_BYTES = 32;
const ENCODED_KEY = /^[A-Za-z0-9+/]{43}=$/;

/** Keys for stored secrets. The current key encrypts; any key decrypts. */
export type Keyring = { current: string; keys: ReadonlyMap<string, Buffer> };

/** Parses `<key id>:<32 bytes in base64>[,…]`, the current key first. @throws Error whose message never contains key material. */
export function parseKeyring(text: string): Keyring {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(",")) {
    const [id, encoded, ...rest] = part.trim().split(":");
    if (!id || !ENCODED_KEY.test(encoded ?? "") || rest.length > 0)
      throw new Error("encryption keys must be a comma-separated list of <key id>:<32 bytes in base64>");
    if (keys.has(id)) throw new Error(`encryption key ID ${id} appears more than once`);
    keys.set(id, Buffer.from(encoded ?? "", "base64"));
  }
  const [current] = keys.keys();
  if (current === undefined) throw new Error("at least one encryption key is required");
  return { current, keys };
}

export type Sealed = { ciphertext: Uint8Array<ArrayBuffer>; keyId: string };

/** Encrypts with AES-256-GCM and authenticates `rowId`, so a ciphertext cannot be moved to another row. @throws Error if the current key is missing. */
export function seal(keyring: Keyring, rowId: string, plaintext: string): Sealed {
  const key = keyring.keys.get(keyring.current);
  if (!key) throw new Error("the current encryption key is missing");
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(rowId));
  const sealed = Buffer.concat([
    nonce,
    cipher.update(plaintext, "utf8"),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return { ciphertext: new Uint8Array(sealed), keyId: keyring.current };
}

/** Decrypts the result of {@link seal}. @throws Error if the key is missing, or the ciphertext was changed or moved. */
export function unseal(
  keyring: Keyring,
  rowId: string,
  sealed: { ciphertext: Uint8Array; keyId: string },
): string {
  const key = keyring.keys.get(sealed.keyId);
  if (!key) throw new Error(`encryption key ${sealed.keyId} is not configured`);
  const bytes = Buffer.from(sealed.ciphertext);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error("the ciphertext is truncated");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(rowId));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  return Buffer.concat([
    decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)),
    decipher.final(),
  ]).toString("utf8");
}

/** Hashes a random secret, which does not need a slow hash. */
export const hashSecret = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hash("sha256", secret, "buffer"));

/** Generates a secret: the prefix, by which scanners recognize secrets, and 256 random bits in base64url. */
export const generateSecret = (prefix: string): string =>
  `${prefix}${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** OWASP's recommendation for argon2id: 19 MiB, two passes, one lane. */
const SLOW_HASH = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (secret: string): Promise<string> => argon2.hash(secret, SLOW_HASH);

export const verifyPassword = (stored: string, secret: string): Promise<boolean> =>
  argon2.verify(stored, secret);

/** Returns whether a PIN is a repeated digit, an ascending or descending sequence (0 follows 9), or a repeated pair or triple. */
export function isTrivialPin(pin: string): boolean {
  const digits = [...pin].map(Number);
  const steps = new Set(digits.slice(1).map((digit, i) => (digit - (digits[i] ?? 0) + 10) % 10));
  return (
    (steps.size === 1 && [0, 1, 9].some((step) => steps.has(step))) ||
    pin === pin.slice(0, 2).repeat(3) ||
    pin === pin.slice(0, 3).repeat(2)
  );
}

export function generatePin(): string {
  for (;;) {
    const pin = String(randomInt(1_000_000)).padStart(6, "0");
    if (!isTrivialPin(pin)) return pin;
  }
}
