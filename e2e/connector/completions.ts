import type { StoreAccess } from "@tillgate/connector";

/** A time span of this process's own clock, in milliseconds: from asking the shop for a change to its answer. */
type Asked = {
  askedMs: number;
  answeredMs: number;
};

/** A completion of an order that the connector asked for and the shop made. */
export type Completion = Asked & {
  transactionId: string;
};

/** A cancellation that the shop's owner asked for and the shop answered with a cancelled order. */
export type Cancellation = Asked;

/** How often an order's notes tell that it was completed. */
export const completionsTold = (notes: readonly string[]): number =>
  notes.filter((note) => /changed from .* to (Processing|Completed)\./.test(note)).length;

/** Stands between the connector and the shop, and remembers which completions the connector made. */
export class CompletionLog {
  readonly #made = new Map<number, Completion[]>();
  readonly #told = new Map<number, number>();

  /** @param notesOf what the shop itself says of an order, past everything that stands between it and the connector */
  watch(store: StoreAccess, notesOf: (orderId: number) => Promise<string[]>): StoreAccess {
    return {
      ...store,
      change: async (orderId, change) => {
        const isCompletion = change.set_paid === true || change.status === "processing";
        if (!isCompletion) return store.change(orderId, change);
        const askedMs = performance.now();
        try {
          await store.change(orderId, change);
        } finally {
          const answeredMs = performance.now();
          // 200 is no proof: the shop answers it to `set_paid` on a cancelled order, too.
          const told = completionsTold(await notesOf(orderId));
          if (told > (this.#told.get(orderId) ?? 0)) {
            const completion = { transactionId: change.transaction_id ?? "", askedMs, answeredMs };
            this.#made.set(orderId, [...this.of(orderId), completion]);
          }
          this.#told.set(orderId, told);
        }
      },
    };
  }

  /** What the connector completed, the first completion first: one at a time, under the order's claim. */
  of(orderId: number): readonly Completion[] {
    return this.#made.get(orderId) ?? [];
  }
}

/**
 * An order is completed once. The one exception is that its owner cancels it between its completion and the connector's
 * look at it: then the payment wins by completing it again, and every further completion has a cancellation of its own
 * that came in between. A cancellation before the first completion or after the last excuses none.
 *
 * @param told how often the order's notes report a completion, from any source
 * @returns what is wrong; empty where every completion has its reason
 */
export function wrongCompletions(
  told: number,
  made: readonly Completion[],
  cancellations: readonly Cancellation[],
): string[] {
  const wrong: string[] = [];
  if (told > made.length)
    wrong.push(`it was completed ${told} times, ${made.length} of them by the connector`);
  const unused = cancellations.toSorted((one, other) => one.answeredMs - other.answeredMs);
  for (const [index, again] of made.entries()) {
    const before = made[index - 1];
    if (before === undefined) continue;
    const between = unused.findIndex(
      ({ askedMs, answeredMs }) => answeredMs > before.askedMs && askedMs < again.askedMs,
    );
    if (between >= 0) unused.splice(between, 1);
    if (between < 0 || again.transactionId !== before.transactionId)
      wrong.push(`${again.transactionId} completed it again after ${before.transactionId} had`);
  }
  return wrong;
}
