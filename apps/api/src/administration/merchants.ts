import type { AuditAction } from "@tillgate/contract";
import type { MerchantModel } from "@tillgate/database";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange, type Transaction } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import { addInvitation } from "../identity/console/invitations.js";
import { requireEmail } from "../identity/email.js";
import { findMerchant } from "../identity/merchants.js";
import { getCurrency, type Money } from "../money/currencies.js";

const MAX_NAME_LENGTH = 120;

type NewMerchant = Change & { name: string };

/** Creates a merchant with a sandbox test shopper, but without wallets or credentials. @throws OperationError InvalidValue (name). */
export const createMerchant = (context: Context, input: NewMerchant): Promise<MerchantModel> =>
  changeWithAudit(context, input, (tx) => createWithRecord(tx, input));

/**
 * Like {@link createMerchant}, and queues an invitation e-mail to the owner, in one transaction.
 * @throws OperationError InvalidValue (name).
 */
export const createMerchantAndInvite = (
  context: Context,
  input: NewMerchant & { ownerEmail: string },
): Promise<{ merchantId: string; invitationId: string }> =>
  changeWithAudit(context, input, async (tx) => {
    const { id: merchantId } = await createWithRecord(tx, input);
    const access = { merchantId, by: input.administrator };
    const owner = { email: input.ownerEmail, role: "owner" as const };
    return { merchantId, invitationId: await addInvitation(context, tx, access, owner) };
  });

async function createWithRecord(tx: Transaction, input: NewMerchant): Promise<MerchantModel> {
  const name = input.name.trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw invalidValue(`A merchant's name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  const merchant = await addMerchant(tx, name);
  await recordChange(tx, {
    administrator: input.administrator,
    merchantId: merchant.id,
    action: "merchant.create",
    subject: merchant.id,
    details: { name },
  });
  return merchant;
}

/** Creates a merchant with its test shopper. The caller validates the name and writes the audit record. */
export async function addMerchant(tx: Transaction, name: string): Promise<MerchantModel> {
  const merchant = await tx.merchant.create({ data: { name } });
  await tx.walletUser.create({
    data: { mode: "sandbox", name: "Test shopper", testOfMerchantId: merchant.id },
  });
  return merchant;
}

type MerchantInput = Change & { merchant: string };

const SETTABLE = [
  "suspendedAt",
  "partnerApiEnabled",
  "refundsNeedApproval",
  "payRequestsPerMinute",
  "partnerRequestsPerMinute",
  "noticeEmail",
] as const;
type Fields = Partial<Pick<MerchantModel, (typeof SETTABLE)[number]>>;

export type MerchantChange = { merchant: MerchantModel; changed: boolean };

const MAX_REQUESTS_PER_MINUTE = 1_000_000;

/**
 * Suspends a merchant: rejects all its credentials and new payments of its orders until it is resumed. A payment concurrent with the suspension
 * may succeed.
 * @throws OperationError SubjectNotFound; InvalidValue if several merchants have this name. All functions that take `merchant` throw these errors.
 */
export const suspendMerchant = (context: Context, input: MerchantInput): Promise<MerchantChange> =>
  setMerchant(context, input, "merchant.suspend", (merchant) =>
    merchant.suspendedAt ? {} : { suspendedAt: new Date() },
  );

export const resumeMerchant = (context: Context, input: MerchantInput): Promise<MerchantChange> =>
  setMerchant(context, input, "merchant.resume", () => ({ suspendedAt: null }));

export const setPartnerApi = (
  context: Context,
  input: MerchantInput & { enabled: boolean },
): Promise<MerchantChange> =>
  setMerchant(context, input, "merchant.partner_api", () => ({ partnerApiEnabled: input.enabled }));

/** Sets whether new refunds need an administrator's approval. Refunds that are already pending still need a decision. */
export const setRefundApproval = (
  context: Context,
  input: MerchantInput & { needed: boolean },
): Promise<MerchantChange> =>
  setMerchant(context, input, "merchant.refund_approval", () => ({ refundsNeedApproval: input.needed }));

/**
 * Sets the e-mail address for webhook notices. If it is null, notices go to the merchant's console users.
 * @throws OperationError SubjectNotFound; InvalidValue if `email` is not an e-mail address, or several merchants have this name.
 */
export function setNoticeEmail(
  context: Context,
  input: MerchantInput & { email: string | null },
): Promise<MerchantChange> {
  const noticeEmail = input.email === null ? null : requireEmail(input.email);
  return setMerchant(context, input, "merchant.notice_email", () => ({ noticeEmail }));
}

/**
 * Sets a merchant's rate limits, in requests per minute. Null means the API's default; undefined leaves the limit unchanged.
 * @throws OperationError SubjectNotFound; InvalidValue if a limit is not an integer from 1 to 1,000,000, or if several merchants have this name.
 */
export function setRateLimits(
  context: Context,
  input: MerchantInput & { pay?: number | null | undefined; partner?: number | null | undefined },
): Promise<MerchantChange> {
  for (const limit of [input.pay, input.partner])
    if (
      typeof limit === "number" &&
      !(Number.isInteger(limit) && limit >= 1 && limit <= MAX_REQUESTS_PER_MINUTE)
    )
      throw invalidValue(`A rate limit must be a whole number from 1 to ${MAX_REQUESTS_PER_MINUTE}.`);
  return setMerchant(context, input, "merchant.rate_limits", () => ({
    ...(input.pay === undefined ? {} : { payRequestsPerMinute: input.pay }),
    ...(input.partner === undefined ? {} : { partnerRequestsPerMinute: input.partner }),
  }));
}

/** Writes the fields that differ. If none differs, nothing is written or recorded. */
async function setMerchant(
  context: Context,
  input: MerchantInput,
  action: AuditAction,
  toFields: (merchant: MerchantModel) => Fields,
): Promise<MerchantChange> {
  const { id } = await findMerchant(context, input.merchant);
  return changeWithAudit(context, input, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const before = await tx.merchant.findUniqueOrThrow({ where: { id } });
    const fields = toFields(before);
    const differing = SETTABLE.filter((name) => fields[name] !== undefined && fields[name] !== before[name]);
    if (differing.length === 0) return { merchant: before, changed: false };
    const merchant = await tx.merchant.update({ where: { id }, data: fields });
    await recordChange(tx, {
      administrator: input.administrator,
      merchantId: id,
      action,
      subject: id,
      details: Object.fromEntries(
        differing.flatMap((name) => [
          [`${name}_before`, toDetail(before[name])],
          [`${name}_after`, toDetail(merchant[name])],
        ]),
      ),
    });
    return { merchant, changed: true };
  });
}

const toDetail = (value: Date | string | number | boolean | null): string | number | boolean | null =>
  value instanceof Date ? value.toISOString() : value;

const MAX_LISTED = 500;

/** Lists up to 500 merchants, sorted by name. `search` matches any part of the name, ignoring case. */
export async function listMerchants(
  { database: { prisma } }: Context,
  { search }: { search?: string | undefined },
): Promise<MerchantModel[]> {
  return prisma.merchant.findMany({
    ...(search === undefined ? {} : { where: { name: { contains: search, mode: "insensitive" as const } } }),
    orderBy: [{ name: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
  });
}

export type MerchantWallet = { mode: string; balance: Money; held: Money; closed: boolean };

/**
 * Reads a merchant and its wallets. `credentials` counts the active API keys, without the console's internal credentials.
 * @throws OperationError SubjectNotFound; InvalidValue if several merchants have this name.
 */
export async function showMerchant(
  context: Context,
  { merchant: idOrName }: { merchant: string },
): Promise<{ merchant: MerchantModel; wallets: MerchantWallet[]; credentials: number }> {
  const { prisma } = context.database;
  const merchant = await findMerchant(context, idOrName);
  const [accounts, credentials] = await Promise.all([
    prisma.account.findMany({
      where: { merchantId: merchant.id },
      orderBy: [{ mode: "asc" }, { currency: "asc" }],
    }),
    prisma.credential.count({
      where: {
        merchantId: merchant.id,
        // The console's internal credentials have no usable secret.
        kind: { not: "console" },
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
      },
    }),
  ]);
  const wallets = await Promise.all(
    accounts
      .filter(({ kind }) => kind === "merchant")
      .map(async (wallet) => {
        const currency = await getCurrency(context, wallet.currency);
        const hold = accounts.find(
          ({ kind, mode, currency: code }) =>
            kind === "hold" && mode === wallet.mode && code === wallet.currency,
        );
        return {
          mode: wallet.mode,
          balance: { minor: wallet.balance ?? 0n, currency },
          held: { minor: hold?.balance ?? 0n, currency },
          closed: wallet.closedAt !== null,
        };
      }),
  );
  return { merchant, wallets, credentials };
}
