import type { TimelineEntryModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import type { Manager } from "../administration/administrator.js";
import type { ReceiverScope } from "./receiver.js";

/** How many notices are shown; the timeline has them all. */
export const MAX_NOTICES = 50;

/** What a number of the database can be. */
const NUMBER = /^\d{1,18}$/;

/** Notices that are not dismissed: endpoints that were warned about or disabled, newest first. */
export async function listNotices(
  { database: { prisma } }: Pick<Context, "database">,
  { merchantId, mode }: ReceiverScope,
): Promise<TimelineEntryModel[]> {
  const notices = await prisma.notice.findMany({
    where: { merchantId, mode, dismissedAt: null },
    orderBy: { id: "desc" },
    take: MAX_NOTICES,
    include: { entry: true },
  });
  return notices.map(({ entry }) => entry);
}

/** Dismisses a notice for all of the merchant's people. @returns whether this call did: a second one changes nothing. */
export async function dismissNotice(
  { database: { prisma } }: Pick<Context, "database">,
  { merchantId, mode, id, by }: ReceiverScope & { id: string; by: Manager },
): Promise<boolean> {
  if (!NUMBER.test(id)) return false;
  const { count } = await prisma.notice.updateMany({
    where: { id: BigInt(id), merchantId, mode, dismissedAt: null },
    data: { dismissedAt: new Date(), dismissedById: by.id },
  });
  return count === 1;
}
