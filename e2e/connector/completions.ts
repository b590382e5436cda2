import type { StoreAccess } from "@tillgate/connector";

/** Time span of a request to the shop, in milliseconds of this process's clock. */
type RequestSpan = {
  askedMs: number;
  answeredMs: number;
};

/** A completion that the connector requested and the shop performed. */
export type Completion = RequestSpan & {
  transactionId: string;
};

/** A cancellation that the shop's owner requested and the shop performed. */
export type Cancellation = RequestSpan;

/** Counts the completions recorded in an order's notes: changes of its status to Processing or Completed. */
export const countCompletions = (notes: readonly string[]): number =>
  notes.filter((note) => /changed from .* to (Processing|Completed)\./.test(note)).length;

/** Records the completions that the connector requests from the shop. */
export class CompletionLog {
  readonly #made = new Map<number, Completion[]>();
  readonly #reported = new Map<number, number>();

  /** Wraps `store` to record completions. @param notesOf reads an order's notes from the shop directly, bypassing all proxies */
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
          // A 200 does not prove a completion: the shop also returns it for `set_paid` on a cancelled order.
          const reported = countCompletions(await notesOf(orderId));
          if (reported > (this.#reported.get(orderId) ?? 0)) {
            const completion = { transactionId: change.transaction_id ?? "", askedMs, answeredMs };
            this.#made.set(orderId, [...this.of(orderId), completion]);
          }
          this.#reported.set(orderId, reported);
        }
      },
    };
  }

  /** Returns the connector's completions of an order, oldest first. Completions never overlap, because each needs the order's claim. */
  of(orderId: number): readonly Completion[] {
    return this.#made.get(orderId) ?? [];
  }
}

/**
 * Finds completions that are not allowed. The connector completes an order once, but each cancellation by the owner after a completion lets
 * the same transaction complete the order again. A cancellation whose request overlaps a completion also counts.
 * @param reported completions in the order's notes, from any source
 * @returns violations; empty if every completion is allowed
 */
export function wrongCompletions(
  reported: number,
  created: readonly Completion[],
  cancellations: readonly Cancellation[],
): string[] {
  const wrong: string[] = [];
  if (reported > created.length)
    wrong.push(`it was completed ${reported} times, ${created.length} of them by the connector`);
  const unused = cancellations.toSorted((one, other) => one.answeredMs - other.answeredMs);
  for (const [index, again] of created.entries()) {
    const before = created[index - 1];
    if (before === undefined) continue;
    const between = unused.findIndex(
      ({ askedMs, answeredMs }) => answeredMs > before.askedMs && askedMs < again.askedMs,
    );
    if (between >= 0) unused.splice(between, 1);
    if (between < 0 || again.transactionId !== before.transactionId)
      wrong.push(`${again.transactionId} completed it again after ${before.transactionId}`);
  }
  return wrong;
}
