import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

export const KINDS = ["order", "payment", "refund", "payout"] as const;
export type Kind = (typeof KINDS)[number];

export type Operation = {
  kind: Kind;
  key: string;
  /** Sends the same request each time. @returns the ID in the response. @throws Error if the request is not acknowledged. */
  send: () => Promise<string>;
  /** The ID in a response; undefined while the outcome is unknown. */
  acknowledged?: string;
  underWay?: boolean;
};

/** Syncs each request to disk before it is sent, and each response when it arrives. */
export type Journal = {
  operations: Operation[];
  /** Times of the acknowledgements, by `performance.now()`. */
  acknowledgedAt: number[];
  /** Sends an operation. @returns whether it was acknowledged. */
  send(operation: Operation): Promise<boolean>;
  close(): void;
};

export function openJournal(file: string): Journal {
  const open = openSync(file, "a");
  const write = (line: object): void => {
    writeSync(open, `${JSON.stringify(line)}\n`);
    fsyncSync(open);
  };
  const journal: Journal = {
    operations: [],
    acknowledgedAt: [],
    async send(operation) {
      const { kind, key } = operation;
      if (!journal.operations.includes(operation)) {
        write({ asked: kind, key });
        journal.operations.push(operation);
      }
      operation.underWay = true;
      try {
        operation.acknowledged = await operation.send();
      } catch (error) {
        write({ unknown: kind, key, because: String(error) });
        return false;
      } finally {
        operation.underWay = false;
      }
      journal.acknowledgedAt.push(performance.now());
      write({ acknowledged: kind, key, id: operation.acknowledged });
      return true;
    },
    close: () => closeSync(open),
  };
  return journal;
}
