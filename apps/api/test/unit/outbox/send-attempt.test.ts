import { describe, expect, it } from "vitest";
import { BlockedAddressError, UnresolvedHostError } from "../../../src/events/outbox/address-guard.js";
import { toSettlement } from "../../../src/events/outbox/deliver.js";
import { classifyError } from "../../../src/events/outbox/send-attempt.js";

const coded = (code: string) => Object.assign(new Error(code), { code });

describe("classifyError", () => {
  it.each([
    [new BlockedAddressError("private"), "refused_address"],
    [new UnresolvedHostError("unknown"), "dns"],
    [coded("CERT_HAS_EXPIRED"), "tls"],
    [coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "tls"],
    [coded("SELF_SIGNED_CERT_IN_CHAIN"), "tls"],
    [coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "tls"],
    [coded("ERR_TLS_CERT_ALTNAME_INVALID"), "tls"],
    [coded("ERR_SSL_WRONG_VERSION_NUMBER"), "tls"],
    [coded("UND_ERR_CONNECT_TIMEOUT"), "timeout"],
    [coded("ETIMEDOUT"), "timeout"],
    [coded("ECONNREFUSED"), "connection"],
    [coded("ECONNRESET"), "connection"],
    [new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")]), "connection"],
    [new Error("something else"), "connection"],
    ["not an error", "connection"],
  ])("classifies %s as %s", (error, kind) => {
    expect(classifyError(error)).toBe(kind);
  });
});

describe("the result of an attempt", () => {
  const attempt = {
    startedAt: new Date("2026-11-21T10:00:00Z"),
    latencyMs: 20,
    httpStatus: 503,
    errorKind: "status",
    answerStart: "",
    retryAfter: undefined,
    requestHeaders: {},
  } as const;

  it("is delivered on success, failed on 410 or after the last retry, and otherwise a scheduled retry", () => {
    const address = "https://shop.example.com/hook";
    const created = (attemptCount: number, change: object) =>
      toSettlement(
        { id: "d", attemptCount, attemptsBefore: 0, address, queueId: "q" },
        { ...attempt, ...change },
      );
    expect(created(0, { httpStatus: 200, errorKind: null })).toMatchObject({
      status: "delivered",
      number: 1,
    });
    expect(created(0, { httpStatus: 410 })).toMatchObject({
      status: "failed",
      number: 1,
      givenUpBecause: "gone",
    });
    expect(created(10, {})).toMatchObject({ status: "failed", number: 11, givenUpBecause: "attempts_over" });
    expect(created(9, {})).toMatchObject({ status: "pending", number: 10 });
    expect(created(0, { retryAfter: "18" })).toMatchObject({ status: "pending", nextDelayMs: 18_000 });
  });

  it("follows the restarted schedule after a resend, and continues to count attempts", () => {
    const address = "https://shop.example.com/hook";
    const again = (attemptCount: number) =>
      toSettlement({ id: "d", attemptCount, attemptsBefore: 11, address, queueId: "q" }, attempt);
    const first = again(11);
    expect(first).toMatchObject({ status: "pending", number: 12 });
    expect(first.nextDelayMs).toBeLessThanOrEqual(12_000);
    expect(again(20)).toMatchObject({ status: "pending", number: 21 });
    expect(again(21)).toMatchObject({ status: "failed", number: 22 });
  });
});
