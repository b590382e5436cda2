import type { ApprovalRequestModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { currencyOf } from "../currencies.js";
import type { Money } from "./money.js";

/** The most requests that one list shows. */
const MAX_LISTED = 200;

export type WaitingRequest = {
  id: string;
  kind: ApprovalRequestModel["kind"];
  mode: string;
  amount: Money;
  /** Whose wallet; null for a limit. */
  owner: string | null;
  reference: string | null;
  requestedBy: string;
  requestedAt: Date;
};

/** What waits for a second administrator, oldest first. */
export async function listRequests(context: Context): Promise<WaitingRequest[]> {
  const requests = await context.database.prisma.approvalRequest.findMany({
    where: { status: "pending" },
    include: {
      requestedBy: { select: { email: true } },
      account: {
        select: { merchant: { select: { name: true } }, walletUser: { select: { name: true } } },
      },
    },
    orderBy: [{ requestedAt: "asc" }, { id: "asc" }],
    take: MAX_LISTED,
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
