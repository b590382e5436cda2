import { randomUUID } from "node:crypto";
import {
  lookupResponseSchema,
  type Mode,
  PARTNER_API_PATHS,
  type Payout,
  payoutResponseSchema,
  type Quote,
  quoteResponseSchema,
} from "@tillgate/contract";
import { generateSecret, hashSecret } from "@tillgate/database";
import { expect } from "vitest";
import { ADMINISTRATOR, setRates } from "../../../../scripts/testing/administration.js";
import { depositFunds } from "./funds.js";
import { type ApiResponse, type ErrorResponse, send } from "./requests.js";
import type { Sandbox } from "./sandbox.js";

export { ADMINISTRATOR, setRates };

export type PartnerApi = {
  get(path: string): Promise<ApiResponse>;
  post(path: string, fields?: unknown): Promise<ApiResponse>;
  postText(path: string, body: string, headers?: Record<string, string>): Promise<ApiResponse>;
};

export function partnerApi(
  { url }: { url: string },
  token: string,
  path: string = PARTNER_API_PATHS[0],
): PartnerApi {
  const authorization = `Bearer ${token}`;
  const postText: PartnerApi["postText"] = (position, body, headers = {}) =>
    send(url + path + position, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body,
    });
  return {
    postText,
    get: (position) => send(url + path + position, { headers: { authorization } }),
    post: (position, fields = {}) => postText(position, JSON.stringify(fields)),
  };
}

export type Partner = { merchantId: string; mode: Mode; token: string; wallets: Record<string, string> };

/** Payout limits of a merchant in a currency, in minor units; null: no limit. */
export type PayoutTerms = {
  authorized?: boolean;
  perTransaction?: bigint | null;
  daily?: bigint | null;
  monthly?: bigint | null;
  reviewAbove?: bigint | null;
};

export type PartnerOptions = {
  mode?: Mode;
  /** Balances in minor units by currency; payouts are unlimited unless `terms` limit them. */
  wallets?: Record<string, bigint>;
  terms?: Record<string, PayoutTerms>;
};

export async function addPartner(sandbox: Sandbox, options: PartnerOptions = {}): Promise<Partner> {
  const { mode = "sandbox", wallets: balances = { EUR: 100_000n }, terms = {} } = options;
  const { prisma } = sandbox.database;
  const { id: merchantId } = await prisma.merchant.create({
    data: { name: "Remit & Co", partnerApiEnabled: true },
  });
  const wallets: Record<string, string> = {};
  for (const [currency, minor] of Object.entries(balances)) {
    wallets[currency] = await openWallet(sandbox, { merchantId, kind: "merchant" }, mode, currency, minor);
    await prisma.payoutTerms.create({
      data: { merchantId, mode, currency, authorized: true, ...terms[currency] },
    });
  }
  return { merchantId, mode, token: await addApiToken(sandbox, merchantId, mode), wallets };
}

export async function addApiToken(
  { database }: Sandbox,
  merchantId: string,
  mode: Mode,
  { readOnly = false } = {},
): Promise<string> {
  const token = generateSecret("tgt_");
  await database.prisma.credential.create({
    data: { merchantId, mode, kind: "api_token", secretHash: hashSecret(token), readOnly },
  });
  return token;
}

export type Recipient = { id: string; email: string; wallets: Record<string, string> };

export async function addRecipient(
  sandbox: Sandbox,
  balances: Record<string, bigint> = { EUR: 0n },
  mode: Mode = "sandbox",
): Promise<Recipient> {
  const email = `recipient-${randomUUID()}@example.com`;
  const { id } = await sandbox.database.prisma.walletUser.create({ data: { mode, name: "Noé Ŝ", email } });
  const wallets: Record<string, string> = {};
  for (const [currency, minor] of Object.entries(balances))
    wallets[currency] = await openWallet(
      sandbox,
      { walletUserId: id, kind: "shopper" },
      mode,
      currency,
      minor,
    );
  return { id, email, wallets };
}

type Owner = { merchantId: string; kind: "merchant" } | { walletUserId: string; kind: "shopper" };

/** Opens a wallet. @param minor balance in minor units @returns the wallet's ID */
export async function openWallet(
  { database }: Sandbox,
  owner: Owner,
  mode: Mode,
  currency: string,
  minor: bigint,
): Promise<string> {
  const { id } = await database.prisma.account.create({ data: { ...owner, mode, currency, balance: 0n } });
  if (minor > 0n) await depositFunds(database.pool, mode, id, minor);
  return id;
}

export async function accountBalance({ database }: Sandbox, id: string | undefined): Promise<bigint> {
  const { balance } = await database.prisma.account.findUniqueOrThrow({ where: { id: id ?? "" } });
  if (balance === null) throw new Error(`account ${id} has no balance because it is a house account`);
  return balance;
}

export async function holdBalanceOf({ database }: Sandbox, { merchantId, mode }: Partner, currency = "EUR") {
  const { balance } = await database.prisma.account.findFirstOrThrow({
    where: { merchantId, mode, currency, kind: "hold" },
  });
  return balance;
}

/** Looks up a recipient by e-mail. @returns the lookup token */
export async function lookUpRecipient(api: PartnerApi, { email }: { email: string }): Promise<string> {
  const { status, body, text } = await api.post("/lookup", { email });
  expect({ status, text }).toMatchObject({ status: 200 });
  return lookupResponseSchema.parse(body).data.lookup_token;
}

/** Parses a response of `POST /quote`. Fails on an error response and on unknown keys. */
export function readQuote({ status, body, text }: ApiResponse): Quote {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = quoteResponseSchema
    .extend({ data: quoteResponseSchema.shape.data.strict() })
    .strict()
    .parse(body);
  expect(response.message).toEqual({ success: ["Quote generated."] });
  return response.data;
}

const dataSchema = payoutResponseSchema.shape.data;
const strictPayoutSchema = payoutResponseSchema
  .extend({ data: dataSchema.extend({ payout: dataSchema.shape.payout.strict() }).strict() })
  .strict();

export function readPayout({ status, body, text, headers }: ApiResponse, message: string): Payout {
  expect({ status, text }).toMatchObject({ status: 200 });
  const response = strictPayoutSchema.parse(body);
  expect(response.message).toEqual({ success: [message] });
  const repeated = message === REPEATED;
  expect(Object.keys(response.data)).toEqual(repeated ? ["payout", "duplicate"] : ["payout"]);
  expect(headers.get("idempotent-replayed")).toBe(repeated ? "true" : null);
  return response.data.payout;
}

export const COMPLETED = "Payout completed.";
export const PENDING = "Payout pending approval.";
export const REPEATED = "Payout was already processed.";

export async function decidePayout({ database }: Sandbox, id: string, approve: boolean): Promise<void> {
  const number = `PP${String(Math.floor(Math.random() * 1e10)).padStart(10, "0")}`;
  await database.pool.query(`SELECT decide_payout($1, $2, $3, $4, ${ADMINISTRATOR}, NULL)`, [
    id,
    approve,
    number,
    randomUUID(),
  ]);
}

export async function decideRefund({ database }: Sandbox, id: string, approve: boolean): Promise<void> {
  await database.pool.query(`SELECT decide_refund($1, $2, $3, ${ADMINISTRATOR}, NULL)`, [
    id,
    approve,
    randomUUID(),
  ]);
}

export const partnerFieldError = (field: string, rest: string): ErrorResponse => ({
  status: 422,
  texts: ["Validation error"],
  fields: { [field]: [`The ${field} field ${rest}`] },
});

export const partnerError = (text: string): ErrorResponse => ({ status: 400, texts: [text] });
