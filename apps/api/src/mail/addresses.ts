import { MAX_MAIL_ADDRESSES, type MailTopic } from "@tillgate/contract";
import type { Change } from "../audit/administrator.js";
import { changeWithAudit, recordChange } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidValue } from "../errors.js";
import { requireEmail } from "../identity/email.js";

export type MailAddresses = Record<MailTopic, string[]>;

export async function readMailAddresses(
  { database: { prisma } }: Context,
  merchantId: string,
): Promise<MailAddresses> {
  const rows = await prisma.mailSubscription.findMany({
    where: { merchantId },
    orderBy: { address: "asc" },
  });
  const addressesForTopic = (topic: MailTopic) =>
    rows.filter((row) => row.topic === topic).map(({ address }) => address);
  return { approvals: addressesForTopic("approvals"), summary: addressesForTopic("summary") };
}

/** @throws OperationError InvalidValue for text that is not an e-mail address, or for too many addresses. */
export async function setMailAddresses(
  context: Context,
  {
    merchantId,
    topic,
    addresses,
    administrator,
  }: Change & { merchantId: string; topic: MailTopic; addresses: string[] },
): Promise<void> {
  const next = [...new Set(addresses.map(requireEmail))].sort();
  if (next.length > MAX_MAIL_ADDRESSES)
    throw invalidValue(`At most ${MAX_MAIL_ADDRESSES} addresses are allowed.`);
  await changeWithAudit(context, {}, async (tx) => {
    await tx.$queryRaw`SELECT id FROM merchants WHERE id = ${merchantId}::uuid FOR NO KEY UPDATE`;
    const stored = await tx.mailSubscription.findMany({ where: { merchantId, topic } });
    const before = stored.map(({ address }) => address).sort();
    if (before.join() === next.join()) return;
    await tx.mailSubscription.deleteMany({ where: { merchantId, topic } });
    await tx.mailSubscription.createMany({
      data: next.map((address) => ({ merchantId, topic, address })),
    });
    await recordChange(tx, {
      administrator,
      merchantId,
      action: "merchant.mails",
      subject: merchantId,
      details: { topic, before: before.join(" "), after: next.join(" ") },
    });
  });
}
