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
import { hashSecret, newSecret } from "@tillgate/database";
import { expect } from "vitest";
import { ADMINISTRATOR, setRates } from "../../../../scripts/testing/administration.js";
import { depositFunds } from "./funds.js";
import { type Answer, send, type Told } from "./requests.js";
import type { Sandbox } from "./sandbox.js";

export { ADMINISTRATOR, setRates };

/** The Partner API as one merchant calls it. */
export type PartnerApi = {
  get(path: string): Promise<Answer>;
  post(path: string, fields?: unknown): Promise<Answer>;
  /** Sends a body as it stands. */
  postText(path: string, body: string, headers?: Record<string, string>): Promise<Answer>;
};

export function partnerApi(
  { url }: { url: string },
  token: string,
  path: string = PARTNER_API_PATHS[0],
): PartnerApi {
  const authorization = `Bearer ${token}`;
  const postText: PartnerApi["postText"] = (place, body, headers = {}) =>
    send(url + path + place, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body,
    });
  return {
    postText,
    get: (place) => send(url + path + place, { headers: { authorization } }),
    post: (place, fields = {}) => postText(place, JSON.stringify(fields)),
  };
}

/** A merchant of the Partner API, in one mode. */
export type Partner = { merchantId: string; mode: Mode; token: string; wallets: Record<string, string> };

/** What a merchant may pay out in a currency, in minor units; null: no limit. */
export type Terms = {
  authorized?: boolean;
  perTransaction?: bigint | null;
  daily?: bigint | null;
  monthly?: bigint | null;
  reviewAbove?: bigint | null;
};

export type NewPartner = {
  mode?: Mode;
  /** Minor units by currency. Each wallet may pay out without limits, where `terms` say nothing else. */
  wallets?: Record<string, bigint>;
  terms?: Record<string, Terms>;
};

/** A merchant of its own, so that its limits and balances are the test's alone: 1,000.00 EUR otherwise. */
export async function addPartner(sandbox: Sandbox, options: NewPartner = {}): Promise<Partner> {
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

/** One more API token of a merchant; one that only reads where `readOnly` is true. */
export async function addApiToken(
  { database }: Sandbox,
  merchantId: string,
  mode: Mode,
  { readOnly = false } = {},
): Promise<string> {
  const token = newSecret("tgt_");
  await database.prisma.credential.create({
    data: { merchantId, mode, kind: "api_token", secretHash: hashSecret(token), readOnly },
  });
  return token;
}

export type Recipient = { id: string; email: string; wallets: Record<string, string> };

/** A wallet user with wallets: an empty one in EUR otherwise. */
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

/** An open wallet that holds `minor`. */
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

export async function balanceOfAccount({ database }: Sandbox, id: string | undefined): Promise<bigint> {
  const { balance } = await database.prisma.account.findUniqueOrThrow({ where: { id: id ?? "" } });
  if (balance === null) throw new Error(`account ${id} is the house's`);
  return balance;
}

/** What waits in a merchant's hold, in minor units. */
export async function holdOf({ database }: Sandbox, { merchantId, mode }: Partner, currency = "EUR") {
  const { balance } = await database.prisma.account.findFirstOrThrow({
    where: { merchantId, mode, currency, kind: "hold" },
  });
  return balance;
}

/** Looks a recipient up. @returns the lookup token. */
export async function lookUp(api: PartnerApi, { email }: { email: string }): Promise<string> {
  const { status, body, text } = await api.post("/lookup", { email });
  expect({ status, text }).toMatchObject({ status: 200 });
  return lookupResponseSchema.parse(body).data.lookup_token;
}

/** A whole answer of `POST /quote`. Unknown keys are refused. */
export function readQuote({ status, body, text }: Answer): Quote {
  expect({ status, text }).toMatchObject({ status: 200 });
  const answer = quoteResponseSchema
    .extend({ data: quoteResponseSchema.shape.data.strict() })
    .strict()
    .parse(body);
  expect(answer.message).toEqual({ success: ["Quote generated."] });
  return answer.data;
}

const dataSchema = payoutResponseSchema.shape.data;
const strictPayoutSchema = payoutResponseSchema
  .extend({ data: dataSchema.extend({ payout: dataSchema.shape.payout.strict() }).strict() })
  .strict();

/** A whole answer around a payout. Only a repeat has `duplicate` and the header. */
export function readPayout({ status, body, text, headers }: Answer, message: string): Payout {
  expect({ status, text }).toMatchObject({ status: 200 });
  const answer = strictPayoutSchema.parse(body);
  expect(answer.message).toEqual({ success: [message] });
  const repeated = message === REPEATED;
  expect(Object.keys(answer.data)).toEqual(repeated ? ["payout", "duplicate"] : ["payout"]);
  expect(headers.get("idempotent-replayed")).toBe(repeated ? "true" : null);
  return answer.data.payout;
}

export const COMPLETED = "Payout completed.";
export const PENDING = "Payout pending approval.";
export const REPEATED = "Payout was already processed.";

/** An administrator's decision on a payout that waits. */
export async function settlePayout({ database }: Sandbox, id: string, approve: boolean): Promise<void> {
  const number = `PP${String(Math.floor(Math.random() * 1e10)).padStart(10, "0")}`;
  await database.pool.query(`SELECT decide_payout($1, $2, $3, $4, ${ADMINISTRATOR}, NULL)`, [
    id,
    approve,
    number,
    randomUUID(),
  ]);
}

/** An administrator's decision on a refund that waits. */
export async function settleRefund({ database }: Sandbox, id: string, approve: boolean): Promise<void> {
  await database.pool.query(`SELECT decide_refund($1, $2, $3, ${ADMINISTRATOR}, NULL)`, [
    id,
    approve,
    randomUUID(),
  ]);
}

/** What a refused field of the Partner API answers. */
export const invalidField = (field: string, rest: string): Told => ({
  status: 422,
  texts: ["Validation error"],
  fields: { [field]: [`The ${field} field ${rest}`] },
});

/** What a business refusal of the Partner API answers. */
export const refusal = (text: string): Told => ({ status: 400, texts: [text] });
