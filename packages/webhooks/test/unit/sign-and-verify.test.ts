import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import {
  parseWhsecKey,
  rawKey,
  replayIdOf,
  type SignWebhookOptions,
  signWebhook,
  type VerifyWebhookOptions,
  verifySimpleSignature,
  verifyWebhook,
} from "../../src/index.js";

const now = 1_795_000_000;
const key = rawKey("a client secret, é");
const otherKey = rawKey("another client secret");
const body = '{"id":"evt_1","event":"pos.order.paid","data":{"description":"Café ☕"}}';

function sign(changes: Partial<SignWebhookOptions> = {}) {
  return signWebhook({
    id: "evt_1",
    event: "pos.order.paid",
    timestampSeconds: now,
    body,
    keys: [key],
    ...changes,
  });
}

/** Signs with an ID that `signWebhook` rejects. */
function signedWith(id: string): Partial<VerifyWebhookOptions> {
  const signature = new Webhook(key.bytes(), { format: "raw" }).sign(id, new Date(now * 1000), body);
  return { headers: { ...sign(), "webhook-id": id, "webhook-signature": signature } };
}

function verify(changes: Partial<VerifyWebhookOptions> = {}) {
  return verifyWebhook({ headers: sign(), body, keys: [key], nowSeconds: now, ...changes });
}

describe("signWebhook", () => {
  it("returns the five headers of a delivery", () => {
    // Computed with `openssl dgst -sha256 -hmac "secret"` over the signed text and over the body.
    const headers = signWebhook({
      id: "evt_1",
      event: "tillgate.test",
      timestampSeconds: 1_700_000_000,
      body: "{}",
      keys: [rawKey("secret")],
    });
    expect(headers).toEqual({
      "webhook-id": "evt_1",
      "webhook-timestamp": "1700000000",
      "webhook-signature": "v1,gcuLUJYfD9JQ2UlZMDEyUnqjiYF/KVJjsn3HLULsCj4=",
      "X-Tillgate-Event": "tillgate.test",
      "X-Tillgate-Signature": "sha256=77325902caca812dc259733aacd046b73817372c777b8d95b402647474516e13",
    });
  });

  it("signs once per active key during a rotation, and X-Tillgate-Signature with the chosen key", () => {
    const headers = sign({ keys: [key, otherKey], simpleKey: otherKey });
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
    const signature = headers["X-Tillgate-Signature"];
    expect(verifySimpleSignature({ signature, body, keys: [otherKey] })).toBe(true);
    expect(verifySimpleSignature({ signature, body, keys: [key] })).toBe(false);
  });

  it("accepts the first second of Unix time", () => {
    expect(sign({ timestampSeconds: 0 })["webhook-timestamp"]).toBe("0");
  });

  const noKey = "A webhook needs at least one signing key.";
  const noTime = "A webhook's timestamp must be a nonnegative whole number of Unix seconds.";
  it.each([
    [{ keys: [] }, noKey],
    [{ keys: [], simpleKey: key }, noKey],
    [{ id: "" }, '"" is not a valid webhook ID.'],
    [{ id: "evt.1" }, '"evt.1" is not a valid webhook ID.'],
    [{ id: "evt 1" }, '"evt 1" is not a valid webhook ID.'],
    [{ event: "a\r\nb" }, String.raw`"a\r\nb" is not a valid event name.`],
    [{ event: "" }, '"" is not a valid event name.'],
    [{ timestampSeconds: 1.5 }, noTime],
    [{ timestampSeconds: -1 }, noTime],
    [{ timestampSeconds: Number.NaN }, noTime],
  ])("rejects values that cannot be signed or sent in a header: %o", (changes, message) => {
    expect(() => sign(changes)).toThrow(new RangeError(message));
  });
});

describe("verifyWebhook", () => {
  it("accepts a signed body as text or bytes, and headers as `Headers` or as an object with names in any case", () => {
    const genuine = { status: "ok", id: "evt_1", timestampSeconds: now, body };
    expect(verify()).toEqual(genuine);
    expect(verify({ body: Buffer.from(body) })).toEqual(genuine);
    expect(verify({ body: new TextEncoder().encode(body) })).toEqual(genuine);
    expect(verify({ headers: new Headers(sign()) })).toEqual(genuine);
    const upperCase = Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(verify({ headers: Object.fromEntries(upperCase) })).toEqual(genuine);
  });

  it("accepts the old and the new key during a rotation, on either side", () => {
    const rotating = sign({ keys: [otherKey, key] });
    expect(verify({ headers: rotating, keys: [key] }).status).toBe("ok");
    expect(verify({ headers: rotating, keys: [otherKey] }).status).toBe("ok");
    expect(verify({ keys: [otherKey, key] }).status).toBe("ok");
  });

  it("skips signatures of unknown versions", () => {
    const headers = { ...sign(), "webhook-signature": `v1a,abc ${sign()["webhook-signature"]} v2,xyz` };
    expect(verify({ headers }).status).toBe("ok");
  });

  it("accepts up to 16 signatures, not counting those of unknown versions", () => {
    const signature = `${"v1,x ".repeat(15)}${"v2,x ".repeat(20)}${sign()["webhook-signature"]}`;
    expect(verify({ headers: { ...sign(), "webhook-signature": signature } }).status).toBe("ok");
  });

  it("returns the signed text of bytes that start with a byte order mark", () => {
    const marked = `\uFEFF${body}`;
    expect(verify({ headers: sign({ body: marked }), body: Buffer.from(marked) })).toMatchObject({
      status: "ok",
      body: marked,
    });
  });

  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("reports a missing %s", (header) => {
    expect(verify({ headers: { ...sign(), [header]: undefined } })).toEqual({
      status: "missing_header",
      header,
    });
    expect(verify({ headers: { ...sign(), [header]: "" } })).toEqual({ status: "missing_header", header });
    const received = new Headers(sign());
    received.delete(header);
    expect(verify({ headers: received })).toEqual({ status: "missing_header", header });
  });

  it("does not accept X-Tillgate-Signature in place of webhook-signature", () => {
    const { "X-Tillgate-Signature": simple, ...rest } = sign();
    const headers = { "webhook-id": rest["webhook-id"], "webhook-timestamp": rest["webhook-timestamp"] };
    expect(verify({ headers: { ...headers, "X-Tillgate-Signature": simple } }).status).toBe("missing_header");
    expect(verify({ headers: { ...headers, "webhook-signature": simple } }).status).toBe("bad_signature");
  });

  it.each([
    [-301, "stale"],
    [-300, "ok"],
    [0, "ok"],
    [300, "ok"],
    [301, "stale"],
  ])("reports a delivery that is %d seconds old as %s", (age, status) => {
    expect(verify({ nowSeconds: now + age }).status).toBe(status);
  });

  it("applies a custom tolerance, and reports a delivery as stale if the clock is NaN", () => {
    expect(verify({ nowSeconds: now + 11, toleranceSeconds: 10 })).toEqual({
      status: "stale",
      ageSeconds: 11,
    });
    expect(verify({ nowSeconds: Number.NaN }).status).toBe("stale");
  });

  it("reports an old forged delivery as forged, not stale", () => {
    expect(verify({ nowSeconds: now + 9999, keys: [otherKey] }).status).toBe("bad_signature");
  });

  it.each([
    ["another key", { keys: [otherKey] }],
    ["no key", { keys: [] }],
    ["another body", { body: `${body} ` }],
    ["a byte order mark added", { body: Buffer.from(`\uFEFF${body}`) }],
    ["bytes that are not UTF-8", { body: Buffer.from([0xff, 0xfe]) }],
    [
      "bytes that are not UTF-8, even if the text with a replacement character is signed",
      { headers: sign({ body: "\uFFFD" }), body: Buffer.from([0xff]) },
    ],
    ["a signed id that makes the signed text ambiguous", signedWith("evt.1")],
    ["an id split into two headers", { headers: { ...sign(), "webhook-id": ["evt", "_1"] } }],
    ["another id", { headers: { ...sign(), "webhook-id": "evt_2" } }],
    ["two ids", { headers: { ...sign(), "webhook-id": ["evt_1", "evt_1"] } }],
    ["another time", { headers: { ...sign(), "webhook-timestamp": String(now + 1) } }],
    ["the same time with a leading zero", { headers: { ...sign(), "webhook-timestamp": `0${now}` } }],
    ["a time followed by other text", { headers: { ...sign(), "webhook-timestamp": `${now}abc` } }],
    ["a time that is not a number", { headers: { ...sign(), "webhook-timestamp": "soon" } }],
    [
      "a truncated signature",
      { headers: { ...sign(), "webhook-signature": sign()["webhook-signature"].slice(0, -1) } },
    ],
    ["an empty signature", { headers: { ...sign(), "webhook-signature": "v1," } }],
    [
      "another version's signature",
      { headers: { ...sign(), "webhook-signature": sign()["webhook-signature"].replace("v1", "v2") } },
    ],
    [
      "more signatures than a rotation creates",
      { headers: { ...sign(), "webhook-signature": `${"v1,x ".repeat(16)}${sign()["webhook-signature"]}` } },
    ],
  ] satisfies [string, Partial<VerifyWebhookOptions>][])("rejects %s", (_, changes) => {
    expect(verify(changes)).toEqual({ status: "bad_signature" });
  });

  it("rejects any single-character change to the body or signature", () => {
    const position = fc.nat({ max: 1000 });
    fc.assert(
      fc.property(position, fc.constantFrom(..."0Aa{/+="), fc.boolean(), (at, character, inBody) => {
        const original = inBody ? body : sign()["webhook-signature"];
        const index = at % original.length;
        fc.pre(original[index] !== character);
        const changed = original.slice(0, index) + character + original.slice(index + 1);
        const changes = inBody ? { body: changed } : { headers: { ...sign(), "webhook-signature": changed } };
        expect(verify(changes).status).toBe("bad_signature");
      }),
    );
  });
});

describe("replayIdOf", () => {
  const replayed = sign({ keys: [key, otherKey], replayId: "replay-1" });
  const idOf = (changes: Partial<Record<string, string>>, keys = [key]) =>
    replayIdOf({ headers: { ...replayed, ...changes }, keys });

  it("returns the ID of a replay signed with any of the active keys", () => {
    expect(replayed["X-Tillgate-Replay"]).toBe("replay-1");
    for (const accepted of [[key], [otherKey], [rawKey("old"), key]])
      expect(replayIdOf({ headers: replayed, keys: accepted })).toBe("replay-1");
    expect(replayIdOf({ headers: new Headers(replayed), keys: [key] })).toBe("replay-1");
  });

  it("accepts a signature of `replay.` and the ID, computed as for a body", () => {
    const { "webhook-signature": signature } = sign({ body: "replay.another" });
    const headers = { "X-Tillgate-Replay": "another", "X-Tillgate-Replay-Signature": signature };
    expect(idOf(headers)).toBe("another");
  });

  it("returns no ID for a delivery that was not sent by a replay", () => {
    for (const replayId of [undefined, null, ""]) {
      const headers = sign({ replayId });
      expect(Object.keys(headers)).toHaveLength(5);
      expect(replayIdOf({ headers, keys: [key] })).toBeUndefined();
    }
  });

  it.each([
    ["an ID without a signature", { "X-Tillgate-Replay-Signature": undefined }],
    ["a signature without an ID", { "X-Tillgate-Replay": undefined }],
    ["the signature of another ID", { "X-Tillgate-Replay": "replay-2" }],
    ["the replay of another webhook", { "webhook-id": "evt_2" }],
    ["the replay of another attempt", { "webhook-timestamp": String(now + 1) }],
    ["the signature of the body", { "X-Tillgate-Replay-Signature": sign()["webhook-signature"] }],
  ])("returns no ID for %s", (_, changes) => {
    expect(idOf(changes)).toBeUndefined();
  });

  it("returns no ID if it is signed with another key or no key is given", () => {
    for (const keys of [[rawKey("a third secret")], []]) expect(idOf({}, keys)).toBeUndefined();
  });

  it("accepts up to 16 signatures and rejects more", () => {
    const { "X-Tillgate-Replay-Signature": signature } = sign({ replayId: "replay-1" });
    const among = (others: number) => `${"v1,x ".repeat(others)}${signature}`;
    expect(idOf({ "X-Tillgate-Replay-Signature": among(15) })).toBe("replay-1");
    expect(idOf({ "X-Tillgate-Replay-Signature": among(16) })).toBeUndefined();
  });
});

describe("verifySimpleSignature", () => {
  it("accepts only a signature of the exact body by one of the keys", () => {
    const signature = sign()["X-Tillgate-Signature"];
    expect(verifySimpleSignature({ signature, body, keys: [otherKey, key] })).toBe(true);
    expect(verifySimpleSignature({ signature, body: Buffer.from(body), keys: [key] })).toBe(true);
    expect(verifySimpleSignature({ signature, body, keys: [otherKey] })).toBe(false);
    expect(verifySimpleSignature({ signature, body: `${body} `, keys: [key] })).toBe(false);
    expect(verifySimpleSignature({ signature: signature.slice(7), body, keys: [key] })).toBe(false);
    expect(verifySimpleSignature({ signature: "", body, keys: [key] })).toBe(false);
    expect(verifySimpleSignature({ signature, body: Buffer.from([0xff]), keys: [key] })).toBe(false);
  });
});

describe("the public Standard Webhooks library", () => {
  // The library's `verify` always uses the system clock.
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const secret = "cs_live_0123456789abcdef";
  const whsec = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const cases = [
    { name: "a client secret", ours: rawKey(secret), theirs: new Webhook(secret, { format: "raw" }) },
    { name: "a whsec_ secret", ours: parseWhsecKey(whsec), theirs: new Webhook(whsec) },
  ];

  it.each(cases)("verifies signatures made with $name", ({ ours, theirs }) => {
    const headers = sign({ keys: [otherKey, ours], timestampSeconds });
    expect(theirs.verify(body, headers)).toEqual(JSON.parse(body));
  });

  it.each(cases)("creates signatures with $name that verifyWebhook accepts", ({ ours, theirs }) => {
    const headers = {
      "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
      "webhook-timestamp": String(now),
      "webhook-signature": theirs.sign("msg_2KWPBgLlAfxdpx2AI54pPJ85f4W", new Date(now * 1000), body),
    };
    expect(verify({ headers, keys: [ours] }).status).toBe("ok");
  });
});
