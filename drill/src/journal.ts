import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

export const KINDS = ["order", "payment", "refund", "payout"] as const;
export type Kind = (typeof KINDS)[number];

/** One operation of a client, identified by the client's idempotency key. */
export type Wish = {
  kind: Kind;
  key: string;
  /** Sends the same request each time. @returns the id in the response. @throws Error when it is not acknowledged. */
  send: () => Promise<string>;
  /** The id in a response; undefined while the outcome is unknown. */
  acknowledged?: string;
  /** Whether a client waits for its response. */
  underWay?: boolean;
};

/** Requests and responses: each request is synced to disk before it is sent, each response when it arrives. */
export type Journal = {
  wishes: Wish[];
  /** Times of acknowledgements, by `performance.now()`. */
  acknowledgedAt: number[];
  /** Records an operation and sends it once. @returns whether it was acknowledged. */
  send(wish: Wish): Promise<boolean>;
  close(): void;
};

export function openJournal(file: string): Journal {
  const open = openSync(file, "a");
  const write = (line: object): void => {
    writeSync(open, `${JSON.stringify(line)}\n`);
    fsyncSync(open);
  };
  const journal: Journal = {
    wishes: [],
    acknowledgedAt: [],
    async send(wish) {
      const { kind, key } = wish;
      if (!journal.wishes.includes(wish)) {
        write({ asked: kind, key });
        journal.wishes.push(wish);
      }
      wish.underWay = true;
      try {
        wish.acknowledged = await wish.send();
      } catch (error) {
        write({ unknown: kind, key, because: String(error) });
        return false;
      } finally {
        wish.underWay = false;
      }
      journal.acknowledgedAt.push(performance.now());
      write({ acknowledged: kind, key, id: wish.acknowledged });
      return true;
    },
    close: () => closeSync(open),
  };
  return journal;
}
