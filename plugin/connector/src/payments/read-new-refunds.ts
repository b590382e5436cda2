import type { Refund } from "@tillgate/contract";
import { z } from "zod";
import { withClaim } from "./claim.js";
import type { ConnectorContext } from "./context.js";
import { followOpenRefunds } from "./follow-refunds.js";

const PER_PAGE = 100;
/** The first reading of Tillgate's refunds starts this long ago: longer than it repeats a delivery. */
const FIRST_LOOK_BACK_MS = 4 * 24 * 60 * 60_000;

/**
 * How far Tillgate's refunds were read: those made up to `since` were. A list too long for one sweep is read on at `page`.
 * New refunds come in at its front; the next reading, which starts from `newest`, reads them.
 */
const cursorSchema = z.object({
  since: z.coerce.date(),
  walk: z.object({ page: z.int().positive(), newest: z.coerce.date() }).optional(),
});

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
  const { clocks, cursors, reporter, settings, tillgate } = context;
  const stored = await cursors.read("refunds");
  const cursor =
    stored === null
      ? { since: new Date(clocks.nowMs("tillgate") - FIRST_LOOK_BACK_MS), walk: undefined }
      : cursorSchema.parse(JSON.parse(stored));
  const since = new Date(cursor.since.getTime() - settings.refundOverlapMs);
  let newest = cursor.walk?.newest ?? cursor.since;
  let page = cursor.walk?.page ?? 1;
  for (let read = 0; read < settings.refundMaxPages; read += 1, page += 1) {
    const answer = await tillgate.refunds.list({ from_date: dayOf(since), per_page: PER_PAGE, page });
    const within = answer.refunds.filter(({ created_at }) => new Date(created_at) >= since);
    await keep();
    await followOpenRefunds(context, within);
    // Only the first page's newest: the next reading reads refunds that come in at the front later.
    if (page === 1) newest = newestOf(within, newest);
    if (within.length < answer.refunds.length || page >= answer.pagination.last_page) {
      await cursors.write("refunds", JSON.stringify({ since: newest }));
      await reporter.settled("behind", "refunds");
      return;
    }
  }
  const walk = { page, newest };
  await cursors.write("refunds", JSON.stringify({ since: cursor.since, walk }));
  await reporter.problem({
    kind: "behind",
    subject: "refunds",

    text: "More refunds at Tillgate than one sweep reads; the rest follows with the next sweeps.",
  });
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const newestOf = (refunds: Refund[], before: Date): Date =>
  refunds.reduce((newest, { created_at }) => {
    const at = new Date(created_at);
    return at > newest ? at : newest;
  }, before);
