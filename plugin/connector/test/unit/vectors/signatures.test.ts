import { parseWhsecKey, rawKey, verifySimpleSignature, verifyWebhook } from "@tillgate/webhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readVectors } from "./read-vectors.js";

const vectors = readVectors(
  "signatures",
  z.strictObject({
    tolerance_seconds: z.int(),
    standard: z.array(
      z.strictObject({
        name: z.string(),
        secrets: z.array(z.string()).min(1),
        now: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.string().optional(),
        body_base64: z.base64().optional(),
        expect: z.enum(["ok", "missing_header", "bad_signature", "stale"]),
      }),
    ),
    simple: z.array(
      z.strictObject({
        name: z.string(),
        secrets: z.array(z.string()).min(1),
        signature: z.string(),
        body: z.string(),
        genuine: z.boolean(),
      }),
    ),
  }),
);

const toKeys = (secrets: string[]) =>
  secrets.map((secret) => (secret.startsWith("whsec_") ? parseWhsecKey(secret) : rawKey(secret)));

describe("verifyWebhook", () => {
  it.each(vectors.standard)(
    "returns $expect: $name",
    ({ secrets, now, headers, body, body_base64, expect: status }) => {
      const bytes = body === undefined ? Buffer.from(body_base64 ?? "", "base64") : Buffer.from(body, "utf8");
      const verification = verifyWebhook({
        headers,
        body: bytes,
        keys: toKeys(secrets),
        nowSeconds: now,
        toleranceSeconds: vectors.tolerance_seconds,
      });
      expect(verification.status).toBe(status);
      if (verification.status === "ok") expect(verification.body).toBe(body);
    },
  );
});

describe("verifySimpleSignature", () => {
  it.each(vectors.simple)("returns $genuine: $name", ({ secrets, signature, body, genuine }) => {
    expect(verifySimpleSignature({ signature, body, keys: toKeys(secrets) })).toBe(genuine);
  });
});
