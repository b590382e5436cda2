import { TillgateApiError } from "@tillgate/client";
import type { Refund } from "@tillgate/contract";
import { z } from "zod";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { followOpenRefunds } from "./follow-refunds.js";

const PER_PAGE = 100;
/** The first reading of Tillgate's refunds starts this long ago: longer than it repeats a delivery. */
const FIRST_LOOK_BACK_MS = 4 * 24 * 60 * 60_000;

/**
 * How far Tillgate's refunds were read: those made up to `since` were. A list too long for one sweep is read on from `place`, which
 * Tillgate gave. New refunds come in at its front; the next reading, which starts from `newest`, reads them.
 */
const cursorSchema = z.object({
  since: z.coerce.date(),
  walk: z.object({ place: z.string(), newest: z.coerce.date() }).optional(),
});

type RefundsCursor = z.infer<typeof cursorSchema>;

/**
 * Reads the merchant's refunds since the cursor and follows those of this store's payments that have no end in the shop, as
 * a lost `refund.completed` would have done. By one process at a time.
 */
export async function readNewRefunds(context: ConnectorContext): Promise<void> {
  await withClaim(context, `refunds:${context.settings.storeId}`, 0, (held) =>
    readRefunds(context, () => held.keep()),
  );
}

async function readRefunds(context: ConnectorContext, keep: () => Promise<void>): Promise<void> {
  const { clocks, cursors } = context;
  const stored = await cursors.read("refunds");
  const cursor: RefundsCursor =
    stored === null
      ? { since: new Date(clocks.nowMs("tillgate") - FIRST_LOOK_BACK_MS) }
      : cursorSchema.parse(JSON.parse(stored));
  try {
    await readOn(context, keep, cursor);
  } catch (error) {
    // The store changed to another client or mode meanwhile, whose list does not have the place.
    const isLost = error instanceof TillgateApiError && error.param === "cursor";
    if (!isLost || cursor.walk === undefined) throw error;
    await readOn(context, keep, { since: cursor.since });
  }
}

async function readOn(
  context: ConnectorContext,
  keep: () => Promise<void>,
  { since: readUpTo, walk }: RefundsCursor,
): Promise<void> {
  const { cursors, reporter, settings, tillgate } = context;
  const since = new Date(readUpTo.getTime() - settings.refundOverlapMs);
  const query = { from_date: dayOf(since), per_page: PER_PAGE };
  const pages = tillgate.refunds.pages(walk === undefined ? query : { ...query, cursor: walk.place });
  // Only the first page's newest: the next reading reads refunds that come in at the front later.
  let newest = walk?.newest;
  let read = 0;
  for await (const { items, next } of pages) {
    const within = items.filter(({ created_at }) => new Date(created_at) >= since);
    await keep();
    await followOpenRefunds(context, within);
    newest ??= newestOf(within, readUpTo);
    read += 1;
    if (within.length < items.length || next === null) {
      await cursors.write("refunds", JSON.stringify({ since: newest }));
      await reporter.settled("behind", "refunds");
      return;
    }
    if (read === settings.refundMaxPages) {
      await cursors.write("refunds", JSON.stringify({ since: readUpTo, walk: { place: next, newest } }));
      await reporter.problem({
        kind: "behind",
        subject: "refunds",
        text: "More refunds at Tillgate than one sweep reads; the rest follows with the next sweeps.",
      });
      return;
    }
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const newestOf = (refunds: Refund[], before: Date): Date =>
  refunds.reduce((newest, { created_at }) => {
    const at = new Date(created_at);
    return at > newest ? at : newest;
  }, before);
