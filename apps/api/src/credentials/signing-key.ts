import { hkdfSync } from "node:crypto";
import type { Keyring } from "@tillgate/database";

const KEY_BYTES = 32;

/** Every kind of token has its own signing key. */
export type SigningUse = "form token" | "witness token" | "embed token" | "access token" | "statement place";

/**
 * The key that signs one kind of token, derived from an encryption key: rotating that rotates this.
 * @returns undefined for a key id that is not configured.
 */
export function signingKey(keyring: Keyring, keyId: string, use: SigningUse): Uint8Array | undefined {
  const key = keyring.keys.get(keyId);
  return key && new Uint8Array(hkdfSync("sha256", key, "", `tillgate ${use}`, KEY_BYTES));
}
