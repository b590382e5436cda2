import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  generateSecret,
  hashPassword,
  hashSecret,
  type Keyring,
  parseKeyring,
  seal,
  unseal,
  verifyPassword,
} from "../../src/secrets.js";

const newKey = () => randomBytes(32).toString("base64");
const ring = (): Keyring => parseKeyring(`k1:${newKey()}`);

describe("parseKeyring", () => {
  it("returns a keyring that encrypts with the first key and decrypts with any of its keys", () => {
    const [first, second] = [newKey(), newKey()];
    const before = parseKeyring(`old:${first}`);
    const after = parseKeyring(` new:${second} , old:${first} `);
    expect(after.current).toBe("new");
    expect(unseal(after, "row", seal(before, "row", "kept"))).toBe("kept");
    expect(seal(after, "row", "x").keyId).toBe("new");
  });

  it.each([
    ["nothing", ""],
    ["a missing key", "k1"],
    ["a missing ID", `:${newKey()}`],
    ["an empty key", "k1:"],
    ["a short key", `k1:${randomBytes(31).toString("base64")}`],
    ["a long key", `k1:${randomBytes(33).toString("base64")}`],
    ["hex", `k1:${randomBytes(32).toString("hex")}`],
    ["base64url", `k1:${"-_".repeat(21)}A=`],
    ["characters that a lenient decoder skips", `k1:!!${newKey()}`],
    ["an entry with three parts", `k1:${newKey()}:more`],
    ["an extra comma", `k1:${newKey()},`],
    ["a valid key next to an invalid key", `k1:${newKey()},k2:short`],
  ])("rejects %s without showing key material", (_, text) => {
    expect(() => parseKeyring(text)).toThrow(
      /^encryption keys must be a comma-separated list of <key id>:<32 bytes in base64>$/,
    );
  });

  it("rejects a duplicate key id", () => {
    expect(() => parseKeyring(`k1:${newKey()},k1:${newKey()}`)).toThrow(
      "encryption key ID k1 appears more than once",
    );
  });
});

describe("a sealed secret", () => {
  it.each(["tgs_test_secret", "", "ünïcode 👛", "long ".repeat(2_000)])(
    "can be decrypted to the original secret: %#",
    (secret) => {
      const keys = ring();
      expect(unseal(keys, "row", seal(keys, "row", secret))).toBe(secret);
    },
  );

  it("does not contain the secret, and differs between two encryptions", () => {
    const keys = ring();
    const sealed = [seal(keys, "row", "the secret"), seal(keys, "row", "the secret")];
    expect(Buffer.from(sealed[0]?.ciphertext ?? []).toString("latin1")).not.toContain("secret");
    expect(sealed[0]?.ciphertext).not.toEqual(sealed[1]?.ciphertext);
  });

  it("cannot be decrypted in another row", () => {
    const keys = ring();
    expect(() => unseal(keys, "row b", seal(keys, "row a", "secret"))).toThrow();
  });

  it("cannot be decrypted with another key of the same id", () => {
    expect(() => unseal(ring(), "row", seal(ring(), "row", "secret"))).toThrow();
  });

  it("reports the missing key", () => {
    const sealed = seal(parseKeyring(`retired:${newKey()}`), "row", "secret");
    expect(() => unseal(ring(), "row", sealed)).toThrow("encryption key retired is not configured");
  });

  it("cannot be decrypted after any byte is changed", () => {
    const keys = ring();
    const sealed = seal(keys, "row", "secret");
    for (let at = 0; at < sealed.ciphertext.length; at += 1) {
      const ciphertext = Uint8Array.from(sealed.ciphertext);
      ciphertext[at] = (ciphertext[at] ?? 0) ^ 1;
      expect(() => unseal(keys, "row", { ...sealed, ciphertext }), `byte ${at}`).toThrow();
    }
  });

  it("cannot be decrypted when truncated or extended", () => {
    const keys = ring();
    const sealed = seal(keys, "row", "secret");
    for (let length = 0; length < sealed.ciphertext.length; length += 1)
      expect(() =>
        unseal(keys, "row", { ...sealed, ciphertext: sealed.ciphertext.slice(0, length) }),
      ).toThrow();
    expect(() =>
      unseal(keys, "row", { ...sealed, ciphertext: new Uint8Array([...sealed.ciphertext, 0]) }),
    ).toThrow();
  });
});

describe("hashes", () => {
  it("are plain SHA-256 for random secrets", () => {
    expect(Buffer.from(hashSecret("abc")).toString("hex")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("are salted argon2id with OWASP's parameters for PINs and passwords, and match only the hashed secret", async () => {
    const [hash, again] = await Promise.all([hashPassword("482915"), hashPassword("482915")]);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/);
    expect(again).not.toBe(hash);
    expect(await verifyPassword(hash, "482915")).toBe(true);
    expect(await verifyPassword(hash, "482916")).toBe(false);
    expect(await verifyPassword(hash, "")).toBe(false);
  });
});

it("a new secret is unique and has 256 random bits after its prefix", () => {
  const secrets = Array.from({ length: 100 }, () => generateSecret("tgs_test_"));
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^tgs_test_[A-Za-z0-9_-]{43}$/);
});
