import { describe, expect, it } from "vitest";
import { newPasskeySchema, passkeySignatureSchema } from "../../src/index.js";

const LONGEST = "A".repeat(20_000);
const named = { id: "AA", rawId: "AA", type: "public-key" };
const signature = { ...named, response: { clientDataJSON: "AA", authenticatorData: "AA", signature: "AA" } };
const created = {
  ...named,
  response: { clientDataJSON: "AA", attestationObject: "AA", transports: ["usb"] },
};

describe("a passkey credential", () => {
  it.each([
    ["a signature", passkeySignatureSchema, signature],
    ["a new passkey", newPasskeySchema, created],
  ])("is accepted up to the length limit of each part: %s", (_what, schema, credential) => {
    const accepts = (change: object, inside: object = {}) =>
      schema.safeParse({ ...credential, ...change, response: { ...credential.response, ...inside } }).success;
    expect(accepts({})).toBe(true);
    for (const part of ["id", "rawId"]) {
      expect(accepts({ [part]: LONGEST })).toBe(true);
      expect(accepts({ [part]: `${LONGEST}A` })).toBe(false);
    }
    for (const part of Object.keys(credential.response).filter((name) => name !== "transports")) {
      expect(accepts({}, { [part]: LONGEST }), part).toBe(true);
      expect(accepts({}, { [part]: `${LONGEST}A` }), part).toBe(false);
      expect(accepts({}, { [part]: undefined }), part).toBe(false);
    }
    expect(accepts({ type: "password" })).toBe(false);
  });

  it("has at most ten transports, with names of up to 60 characters", () => {
    const accepts = (transports: string[]) =>
      newPasskeySchema.safeParse({ ...created, response: { ...created.response, transports } }).success;
    expect(accepts([])).toBe(true);
    expect(accepts(Array.from({ length: 10 }, () => "x".repeat(60)))).toBe(true);
    expect(accepts(Array.from({ length: 11 }, () => "usb"))).toBe(false);
    expect(accepts(["x".repeat(61)])).toBe(false);
  });
});
