import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

export const KINDS = ["order", "payment", "refund", "payout"] as const;
export type Kind = (typeof KINDS)[number];

/** One thing that a client wants done, by the name that the client gave it. */
export type Wish = {
  kind: Kind;
  key: string;
  /** Sends it, always the same. @returns the id that the answer names. @throws Error when it is not acknowledged. */
  send: () => Promise<string>;
  /** The id that an answer named; undefined: none came, so nobody knows. */
  acknowledged?: string;
  /** A client waits for its answer. */
  underWay?: boolean;
};

/** What was asked for and what was answered, on the disk before the one is sent and after the other came. */
export type Journal = {
  wishes: Wish[];
  /** When something was acknowledged, by `performance.now()`. */
  acknowledgedAt: number[];
  /** Sends a wish once, which is written down before. @returns whether it was acknowledged. */
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
