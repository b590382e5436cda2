import type { KeyedPage } from "@tillgate/contract";
import type { TimelineEntryModel } from "@tillgate/database";
import type { Context } from "../../context.js";
import { notAPlace } from "../../readers/find-keyed-page.js";
import { type Page, pageOf } from "./list-deliveries.js";
import type { ReceiverScope } from "./receiver.js";

/** What a number of the database can be. */
const NUMBER = /^\d{1,18}$/;

/** What a merchant should know about its webhooks, newest first. @throws OperationError InvalidFields. */
export async function listTimeline(
  { database: { prisma } }: Context,
  { merchantId, mode }: ReceiverScope,
  { before, per_page }: KeyedPage,
): Promise<Page<TimelineEntryModel>> {
  if (before !== undefined && !NUMBER.test(before)) throw notAPlace("before");
  const rows = await prisma.timelineEntry.findMany({
    where: { merchantId, mode, ...(before === undefined ? {} : { id: { lt: BigInt(before) } }) },
    orderBy: { id: "desc" },
    take: per_page + 1,
  });
  return pageOf(rows, per_page);
}
