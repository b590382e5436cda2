import type { Logger } from "pino";

export const CHANGES_CHANNEL = "tillgate_changes";

/** How long IDs are collected into one notification, in milliseconds. */
const COLLECT_MS = 10;
/** PostgreSQL rejects payloads of 8000 bytes or more. */
const PAYLOAD_LIMIT_BYTES = 7_999;
/** Brackets of the JSON array. */
const BRACKETS_BYTES = 2;

/** Notifies every process of changes, so that pages and delivery workers read them immediately. */
export type ChangeNotifier = {
  /**
   * Must be called after the commit. Never throws or waits, because polling covers a lost notification. @param id of what changed, such as an order.
   */
  notify(id: string): void;
  /** Sends the collected IDs and waits until they are sent. */
  close(): Promise<void>;
};

type ChangeSender = { query(sql: string, parameters: unknown[]): Promise<unknown> };

type ChangeNotifierOptions = { pool: ChangeSender; log: Pick<Logger, "warn"> };

/** Creates a notifier. It never notifies in a transaction that moves money, because NOTIFY makes commits wait for each other. */
export function createChangeNotifier({ pool, log }: ChangeNotifierOptions): ChangeNotifier {
  let collected = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const sending = new Set<Promise<void>>();

  const send = async (payload: string): Promise<void> => {
    try {
      await pool.query("SELECT pg_notify($1, $2)", [CHANGES_CHANNEL, payload]);
    } catch (error) {
      log.warn(
        { err: error },
        "a change notification could not be sent; pages and delivery workers will poll",
      );
    }
  };

  const flush = (): void => {
    timer = undefined;
    const ids = collected;
    collected = new Set();
    for (const payload of createNotificationPayloads(ids)) {
      const sent: Promise<void> = send(payload).finally(() => sending.delete(sent));
      sending.add(sent);
    }
  };

  return {
    notify(orderId) {
      collected.add(orderId);
      timer ??= setTimeout(flush, COLLECT_MS);
    },
    async close() {
      if (timer) {
        clearTimeout(timer);
        flush();
      }
      await Promise.all(sending);
    },
  };
}

/** Returns JSON arrays of the IDs, each small enough for one notification. */
export function createNotificationPayloads(ids: Iterable<string>): string[] {
  const payloads: string[] = [];
  let packed: string[] = [];
  let bytes = BRACKETS_BYTES;
  for (const id of ids) {
    const text = JSON.stringify(id);
    const idBytes = Buffer.byteLength(text) + 1;
    if (packed.length > 0 && bytes + idBytes > PAYLOAD_LIMIT_BYTES) {
      payloads.push(`[${packed.join(",")}]`);
      packed = [];
      bytes = BRACKETS_BYTES;
    }
    packed.push(text);
    bytes += idBytes;
  }
  if (packed.length > 0) payloads.push(`[${packed.join(",")}]`);
  return payloads;
}

/** Returns a notification's IDs; null for another format, which subscribers treat as a change to everything. */
export function parseNotificationPayload(payload: string | undefined): string[] | null {
  try {
    const ids: unknown = JSON.parse(payload ?? "");
    return Array.isArray(ids) && ids.every((id) => typeof id === "string") ? ids : null;
  } catch {
    return null;
  }
}
