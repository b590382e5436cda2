import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type Api,
  CALLER_ERRORS,
  checkoutReasonSchema,
  ErrorCode,
  errorEnvelope,
  errorEnvelopeSchema,
  FieldRule,
  formatErrorText,
  getStatus,
  PAYMENT_ERRORS,
  PAYOUT_ERRORS,
  REQUEST_ERRORS,
  SANDBOX_ERRORS,
} from "../../src/index.js";

const APIS: Api[] = ["pay", "partner", "checkout", "console"];
const SERVER_ERRORS: ErrorCode[] = [
  ErrorCode.InternalError,
  ErrorCode.DatabaseSilent,
  ErrorCode.DatabaseFull,
  ErrorCode.DatabaseBusy,
  ErrorCode.AboutToEnd,
  ErrorCode.Unavailable,
];

describe("every ErrorCode", () => {
  it("has a 4xx or 5xx status and a text without unfilled placeholders", () => {
    for (const rejection of Object.values(ErrorCode))
      for (const api of APIS) {
        const status = getStatus(rejection, api);
        expect([rejection.code, status >= 500]).toEqual([rejection.code, SERVER_ERRORS.includes(rejection)]);
        expect(status).toBeGreaterThanOrEqual(400);
        const text = formatErrorText(rejection, { currency: "EUR", mode: "live", requestId: "req_1" });
        expect(text).not.toMatch(/^$|[{}]/);
      }
  });

  it("has a unique `code`", () => {
    const codes = Object.values(ErrorCode).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });

  it("has a name that is unique across all files", async () => {
    const groups = await Promise.all(
      ["administration", "checkout", "console", "payments", "requests"].map(
        (file): Promise<Record<string, object>> => import(`../../src/errors/${file}.ts`),
      ),
    );
    const names = groups.flatMap((group) => Object.values(group).flatMap((rows) => Object.keys(rows)));
    expect(names.sort()).toEqual(Object.keys(ErrorCode).sort());
  });

  it("is serialized with its code, and with param if exactly one field is invalid", () => {
    for (const rejection of Object.values(ErrorCode))
      for (const api of APIS) {
        const envelope = errorEnvelopeSchema.strict().parse(errorEnvelope(rejection, api));
        expect(envelope.error_code).toBe(rejection.code);
      }
    const blame = (fields: Record<string, string[]>) =>
      errorEnvelope(ErrorCode.InvalidFields, "pay", { fields }).param;
    expect(blame({ amount: ["wrong"] })).toBe("amount");
    expect(blame({ amount: ["wrong"], currency: ["wrong"] })).toBeUndefined();
    expect(errorEnvelope(ErrorCode.DuplicateReference, "partner")).toMatchObject({
      error_code: "duplicate_reference",
      param: "reference",
    });
  });

  it("includes the operation's own messages, such as one message per line of a file, on the console API only", () => {
    const details = { message: "The file has errors.", lines: ["Line 2 has no amount."] };
    const messagesOn = (api: Api) => errorEnvelope(ErrorCode.DuplicateReference, api, details).message.error;
    expect(messagesOn("console")).toEqual(["The file has errors.", "Line 2 has no amount."]);
    for (const api of APIS.filter((other) => other !== "console"))
      expect(messagesOn(api)).toEqual([ErrorCode.DuplicateReference.text]);
  });

  it("is sent with its reason on the checkout API only, and shares no reason except not_found with another error", () => {
    const reasons = Object.values(ErrorCode).flatMap(({ reason }) => reason ?? []);
    // Not found: an order, a logo, a movement, a sign-in, a conversion or a passkey.
    const more = Array(5).fill("not_found");
    expect(reasons.sort()).toEqual([...checkoutReasonSchema.options, ...more].sort());
    expect(errorEnvelope(ErrorCode.OrderExpired, "checkout").reason).toBe("expired");
    for (const api of APIS.filter((other) => other !== "checkout"))
      expect(errorEnvelope(ErrorCode.OrderExpired, api).reason).toBeUndefined();
  });
});

it("all released error codes are still defined", () => {
  const codesOf = (rows: Record<string, ErrorCode>) => Object.values(rows).map(({ code }) => code);
  const reported = [CALLER_ERRORS, REQUEST_ERRORS, PAYMENT_ERRORS, PAYOUT_ERRORS, SANDBOX_ERRORS].flatMap(
    codesOf,
  );
  expect(reported).toEqual(
    expect.arrayContaining([
      "invalid_credentials",
      "wrong_mode",
      "invalid_secret_id",
      "secret_id_of_other_mode",
      "invalid_access_token",
      "partner_api_disabled",
      "merchant_suspended",
      "read_only_credential",
      "too_many_requests",
      "malformed_request",
      "malformed_address",
      "malformed_json",
      "request_cut_off",
      "wrong_body_length",
      "request_too_slow",
      "body_too_large",
      "not_json",
      "unsupported_charset",
      "unsupported_encoding",
      "headers_too_large",
      "unknown_route",
      "method_not_allowed",
      "https_required",
      "invalid_fields",
      "order_not_found",
      "refund_not_found",
      "transaction_not_found",
      "only_pending_can_be_cancelled",
      "refund_exceeds_payment",
      "insufficient_balance",
      "transaction_not_refundable",
      "idempotency_key_reused",
      "recipient_not_found",
      "recipient_inactive",
      "invalid_lookup_token",
      "invalid_quote",
      "merchant_wallet_not_found",
      "invalid_receiver_currency",
      "recipient_has_no_wallet",
      "recipient_wallet_not_found",
      "currency_not_authorized",
      "per_transaction_limit_exceeded",
      "daily_limit_exceeded",
      "monthly_limit_exceeded",
      "duplicate_reference",
      "payout_not_found",
    ]),
  );
});

describe("error text", () => {
  const folder = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
  const sources = ["packages/contract/src", "packages/money/src", "apps/api/src"].flatMap((path) =>
    readdirSync(folder(path), { recursive: true, encoding: "utf8" })
      // Settings are not request fields.
      .filter((name) => name.endsWith(".ts") && name !== "config.ts")
      .map((name) => readFileSync(`${folder(path)}/${name}`, "utf8")),
  );
  const standing = (words: string): number =>
    sources.reduce((sum, source) => sum + source.split(`"${words}"`).length - 1, 0);

  it("is defined in one place", () => {
    const texts = Object.values(ErrorCode).map(({ text }) => text);
    for (const localization of new Set(texts)) {
      if (
        [
          ErrorCode.BodyTooLarge,
          ErrorCode.TooManyReceivers,
          ErrorCode.TooManyTills,
          ErrorCode.TooManyPaymentLinks,
          ErrorCode.TooManyViews,
          ErrorCode.TooManyTestControls,
        ].some((one) => one.text === localization)
      )
        continue;
      // Only the status distinguishes an unknown recipient from a deactivated recipient.
      const rows = texts.filter((text) => text === localization).length;
      expect([localization, standing(localization)]).toEqual([localization, rows]);
    }
    // Texts with a number are not literals.
    const computed: string[] = [FieldRule.TwoDecimals.text, FieldRule.FewRefunds.text];
    for (const { text } of Object.values(FieldRule))
      expect([text, standing(text)]).toEqual([text, computed.includes(text) ? 0 : 1]);
  });
});
