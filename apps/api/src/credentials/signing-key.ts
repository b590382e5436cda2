import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import type { Keyring } from "@tillgate/database";

const KEY_BYTES = 32;

/** Every kind of token has its own signing key. */
export type SigningUse = "form token" | "witness token" | "embed token" | "access token" | "statement place";

/** Deriving a key costs more than signing with it. Forgotten with its keyring. */
const derived = new WeakMap<Keyring, Map<string, KeyObject>>();

/**
 * The key that signs one kind of token, derived from an encryption key: rotating that rotates this.
 * @returns undefined for a key id that is not configured.
 */
export function signingKey(keyring: Keyring, keyId: string, use: SigningUse): KeyObject | undefined {
  const key = keyring.keys.get(keyId);
  if (key === undefined) return undefined;
  const known = derived.get(keyring) ?? new Map<string, KeyObject>();
  derived.set(keyring, known);
  const name = `${keyId} ${use}`;
  const found =
    known.get(name) ??
    createSecretKey(new Uint8Array(hkdfSync("sha256", key, "", `tillgate ${use}`, KEY_BYTES)));
  known.set(name, found);
  return found;
}
