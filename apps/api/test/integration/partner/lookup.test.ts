import {
  LOOKUP_TOKEN_MINUTES,
  lookupRequestSchema,
  lookupResponseSchema,
  QUOTE_MINUTES,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { addRecipient, type PartnerApi, partnerApi, partnerFieldError } from "../../support/partner.js";
import { type ApiResponse, errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const NOT_FOUND = { status: 404, texts: ["Recipient not found or inactive."] };

let api: PartnerApi;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  api = partnerApi(server, sandbox.access.merchant.api_token);
});

function readLookup({ status, body, text }: ApiResponse) {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = lookupResponseSchema.strict().parse(body);
  expect(response).toEqual(body);
  expect(response.message).toEqual({ success: ["Recipient found."] });
  expect(Object.keys(response.data)).toEqual(["lookup_token", "recipient"]);
  expect(Object.keys(response.data.recipient)).toEqual(["name", "currencies"]);
  return response.data;
}

describe("POST /lookup", () => {
  it("returns the name, the currencies and a token that is valid for ten minutes of database time", async () => {
    const { lookup_token, recipient } = readLookup(
      await api.post("/lookup", { email: "samuel@example.com" }),
    );
    expect(recipient).toEqual({
      name: "Samuel Ndongo",
      currencies: [
        { code: "EUR", symbol: "€", type: "fiat" },
        { code: "XAF", symbol: "FCFA", type: "fiat" },
      ],
    });
    const { rows } = await sandbox.database.pool.query(
      "SELECT extract(epoch FROM expires_at - clock_timestamp())::int AS seconds FROM lookup_tokens WHERE id = $1",
      [lookup_token],
    );
    expect([LOOKUP_TOKEN_MINUTES, QUOTE_MINUTES]).toEqual([10, 5]);
    expect(rows[0].seconds).toBeGreaterThan(LOOKUP_TOKEN_MINUTES * 60 - 10);
    expect(rows[0].seconds).toBeLessThanOrEqual(LOOKUP_TOKEN_MINUTES * 60);
  });

  it.each([
    "+237671234567",
    "237671234567",
    "00237671234567",
    "+237 6 71 23 45 67",
    "+237 (671) 23-45-67",
    " +237671234567 ",
    "+237.671.234.567",
  ])("finds a recipient by phone %j", async (phone) => {
    expect(readLookup(await api.post("/lookup", { phone })).recipient.name).toBe("Samuel Ndongo");
  });

  it.each(["SAMUEL@example.com", "Samuel@Example.COM", " samuel@example.com "])(
    "finds a recipient by e-mail %j",
    async (email) => {
      expect(readLookup(await api.post("/lookup", { email })).recipient.name).toBe("Samuel Ndongo");
    },
  );

  it("returns the same response for unknown, deactivated and malformed recipients", async () => {
    for (const fields of [
      { email: "nobody@example.com" },
      { email: "ivo@example.com" },
      { phone: "+420601123456" },
      { phone: "+33600000000" },
      { phone: "x" },
      { phone: "+" },
      { phone: "0671234567" },
      { email: "+237671234567" },
      { phone: "samuel@example.com" },
      { email: "é𝕏" },
      { email: "%" },
    ])
      expect(errorOf(await api.post("/lookup", fields))).toEqual(NOT_FOUND);
  });

  it("omits closed wallets and inactive currencies", async () => {
    const recipient = await addRecipient(sandbox, { EUR: 0n, JPY: 0n, KWD: 0n });
    const codes = async () =>
      readLookup(await api.post("/lookup", { email: recipient.email })).recipient.currencies.map(
        ({ code }) => code,
      );
    expect(await codes()).toEqual(["EUR", "JPY", "KWD"]);
    await sandbox.database.pool.query("UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1", [
      recipient.wallets.EUR,
    ]);
    const active = (value: boolean) =>
      sandbox.database.prisma.currency.update({ where: { code: "KWD" }, data: { active: value } });
    await active(false);
    expect(await codes()).toEqual(["JPY"]);
    await active(true);
    expect(await codes()).toEqual(["JPY", "KWD"]);
  });

  it("finds a recipient without wallets, and returns no currencies", async () => {
    const { email } = await addRecipient(sandbox, {});
    expect(readLookup(await api.post("/lookup", { email })).recipient.currencies).toEqual([]);
  });

  it("returns a new token each time", async () => {
    const tokens = new Set<string>();
    for (let i = 0; i < 3; i += 1)
      tokens.add(readLookup(await api.post("/lookup", { email: "samuel@example.com" })).lookup_token);
    expect(tokens.size).toBe(3);
  });

  it("requires exactly one of phone and e-mail", async () => {
    for (const fields of [{}, { phone: null }, { email: "" }, { phone: "", email: null }, { name: "Samuel" }])
      expect(errorOf(await api.post("/lookup", fields))).toEqual(
        partnerFieldError("phone", "is required when email is absent"),
      );
    const both = { phone: "+237671234567", email: "samuel@example.com" };
    expect(errorOf(await api.post("/lookup", both))).toEqual(
      partnerFieldError("email", "must not be sent together with phone"),
    );
    readLookup(await api.post("/lookup", { ...both, phone: null, unknown: 1 }));
  });

  it.each([
    ["phone", 32],
    ["email", 254],
  ])("requires %s to be text of at most %i characters", async (field, max) => {
    const rejected: [unknown, string][] = [
      ["1".repeat(max + 1), `must not be longer than ${max} characters`],
      [671234567, "must be text"],
      [["a"], "must be text"],
      [{}, "must be text"],
      [false, "must be text"],
      [" ", "must not be blank"],
      ["a\u0000", "must not contain NUL characters or invalid Unicode"],
      ["\udc00", "must not contain NUL characters or invalid Unicode"],
    ];
    for (const [value, rest] of rejected)
      expect(errorOf(await api.post("/lookup", { [field]: value }))).toEqual(partnerFieldError(field, rest));
    expect(errorOf(await api.post("/lookup", { [field]: "1".repeat(max) }))).toEqual(NOT_FOUND);
  });

  it("defines only fields covered by tests", () => {
    expect(Object.keys(lookupRequestSchema.shape)).toEqual(["phone", "email"]);
  });
});
