import type { Context } from "../../context.js";
import { currencyOf } from "../../readers/currencies.js";
import type { Money } from "./money.js";

/** The most requests of one sort that one list shows. */
const MAX_LISTED = 200;

export type WaitingRequest = {
  id: string;
  kind: string;
  /** Null for an administrator. */
  mode: string | null;
  amount: Money | null;
  /** Whose wallet, or the future administrator; null for a limit. */
  owner: string | null;
  reference: string | null;
  requestedBy: string;
  requestedAt: Date;
};

/** Requests that wait for a second administrator, oldest first. */
export async function listRequests(context: Context): Promise<WaitingRequest[]> {
  const waiting = [...(await listMovements(context)), ...(await listAdmissions(context))];
  return waiting.toSorted((a, b) => a.requestedAt.getTime() - b.requestedAt.getTime());
}

const waitingFirst = {
  where: { status: "pending" },
  orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
  take: MAX_LISTED,
} as const;

async function listMovements(context: Context): Promise<WaitingRequest[]> {
  const requests = await context.database.prisma.approvalRequest.findMany({
    ...waitingFirst,
    orderBy: [...waitingFirst.orderBy],
    include: {
      requestedBy: { select: { email: true } },
      account: {
        select: { merchant: { select: { name: true } }, walletUser: { select: { name: true } } },
      },
    },
  });
  return Promise.all(
    requests.map(async (request) => ({
      id: request.id,
      kind: request.kind,
      mode: request.mode,
      amount: { minor: request.amount, currency: await currencyOf(context, request.currency) },
      owner: request.account?.merchant?.name ?? request.account?.walletUser?.name ?? null,
      reference: request.externalReference,
      requestedBy: request.requestedBy.email,
      requestedAt: request.requestedAt,
    })),
  );
}

async function listAdmissions({ database: { prisma } }: Context): Promise<WaitingRequest[]> {
  const requests = await prisma.administratorRequest.findMany({
    ...waitingFirst,
    orderBy: [...waitingFirst.orderBy],
    include: { requestedBy: { select: { email: true } } },
  });
  return requests.map(({ id, kind, email, requestedBy, requestedAt }) => ({
    id,
    kind: `administrator_${kind}`,
    mode: null,
    amount: null,
    owner: email,
    reference: null,
    requestedBy: requestedBy.email,
    requestedAt,
  }));
}
