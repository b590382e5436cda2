import { randomUUID } from "node:crypto";
import { ErrorCode, MAX_VIEWS, type Mode, normalizeViewQuery, type ViewedList } from "@tillgate/contract";
import type { Prisma } from "@tillgate/database";
import { changeWithAudit, isDuplicate } from "../audit/change.js";
import type { Context } from "../context.js";
import { invalidField, OperationError } from "../errors.js";
import type { ConsoleAccess } from "../identity/console/access.js";
import { isIssuedId } from "../platform/ids.js";

export type ViewModel = Prisma.ConsoleViewGetPayload<object>;
type Owner = Pick<ConsoleAccess, "merchantId" | "by"> & { mode: Mode };

const toOwnerFilter = ({ merchantId, mode, by }: Owner) => ({ userId: by.id, merchantId, mode });

export const listViews = (
  { database: { prisma } }: Context,
  owner: Owner,
  list: ViewedList,
): Promise<ViewModel[]> =>
  prisma.consoleView.findMany({
    where: { ...toOwnerFilter(owner), list },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });

/** Saves a view, unless it is already saved. @throws OperationError InvalidFields (query), ViewNameTaken, TooManyViews. */
export async function saveView(
  context: Context,
  owner: Owner,
  { list, name, query: text }: { list: ViewedList; name: string; query: string },
): Promise<ViewModel> {
  const query = normalizeViewQuery(list, text);
  if (!query) throw invalidField("query", "must be filters or columns of the list");
  const scope = { ...toOwnerFilter(owner), list };
  return changeWithAudit(context, {}, async (tx) => {
    // Serializes the user's calls, so that concurrent calls cannot exceed the view limit or use the same name.
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`views of ${scope.userId}`}, 0))::text`;
    const existing = await tx.consoleView.findFirst({ where: { ...scope, name } });
    if (existing?.query === query) return existing;
    if (existing) throw new OperationError(ErrorCode.ViewNameTaken);
    if ((await tx.consoleView.count({ where: scope })) >= MAX_VIEWS)
      throw new OperationError(ErrorCode.TooManyViews);
    return tx.consoleView.create({ data: { ...scope, id: randomUUID(), name, query } });
  });
}

/** @throws OperationError ViewNotFound, including for another user's view; ViewNameTaken. */
export async function renameView(
  { database: { prisma } }: Context,
  owner: Owner,
  { id, name }: { id: string; name: string },
): Promise<ViewModel> {
  const where = { id: requireIssuedId(id), ...toOwnerFilter(owner) };
  try {
    const [view] = await prisma.consoleView.updateManyAndReturn({ where, data: { name } });
    if (!view) throw new OperationError(ErrorCode.ViewNotFound);
    return view;
  } catch (error) {
    if (isDuplicate(error)) throw new OperationError(ErrorCode.ViewNameTaken);
    throw error;
  }
}

/** @throws OperationError ViewNotFound, including for another user's view. */
export async function removeView({ database: { prisma } }: Context, owner: Owner, id: string): Promise<void> {
  const { count } = await prisma.consoleView.deleteMany({
    where: { id: requireIssuedId(id), ...toOwnerFilter(owner) },
  });
  if (count === 0) throw new OperationError(ErrorCode.ViewNotFound);
}

function requireIssuedId(id: string): string {
  if (!isIssuedId(id)) throw new OperationError(ErrorCode.ViewNotFound);
  return id;
}
