import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { parseWhsecKey, rawKey, WebhookKeyError } from "../../src/index.js";

describe("webhook keys", () => {
  it("are the UTF-8 bytes of a client secret", () => {
    expect(Buffer.from(rawKey("sé").bytes()).toString("hex")).toBe("73c3a9");
  });

  it("are the decoded base64 part of a whsec_ secret", () => {
    const bytes = Buffer.alloc(32, 0xfb);
    expect(Buffer.from(parseWhsecKey(`whsec_${bytes.toString("base64")}`).bytes())).toEqual(bytes);
  });

  it.each([24, 64])("may have %d bytes", (length) => {
    const bytes = Buffer.alloc(length, 7);
    expect(Buffer.from(parseWhsecKey(`whsec_${bytes.toString("base64")}`).bytes())).toEqual(bytes);
  });

  it("do not appear in inspected objects or JSON, and cannot be changed through a copy", () => {
    const key = rawKey("top secret");
    key.bytes().fill(0);
    expect(Buffer.from(key.bytes()).toString()).toBe("top secret");
    expect(inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key)).not.toMatch(/top|116/);
  });

  it.each([
    "",
    "whsec_",
    Buffer.alloc(32).toString("base64"),
    `whsec_${Buffer.alloc(23).toString("base64")}`,
    `whsec_${Buffer.alloc(65).toString("base64")}`,
    `whsec_${Buffer.alloc(32, 0xfb).toString("base64url")}`,
    `whsec_${Buffer.alloc(32).toString("base64")} `,
    `WHSEC_${Buffer.alloc(32).toString("base64")}`,
  ])("are rejected when the whsec_ secret is malformed: %j", (secret) => {
    expect(() => parseWhsecKey(secret)).toThrow(WebhookKeyError);
    expect(() => parseWhsecKey(secret)).toThrow(
      expect.objectContaining({
        name: "WebhookKeyError",
        message: 'A webhook secret must be "whsec_" followed by 24 to 64 base64-encoded bytes.',
      }),
    );
  });

  it("are rejected for an empty client secret", () => {
    expect(() => rawKey("")).toThrow(new WebhookKeyError("The webhook secret is empty."));
  });
});
