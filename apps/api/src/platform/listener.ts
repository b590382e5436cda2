import net from "node:net";
import pg from "pg";
import type { Logger } from "pino";
import { CHANGES_CHANNEL, parseNotificationPayload } from "./change-notifier.js";

const CONNECT_TIMEOUT_MS = 5_000;
/** Interval of the checks that detect a half-open connection. */
const CHECK_EVERY_MS = 10_000;
/** How long a check may take before the connection counts as dead, in milliseconds. */
const CHECK_TIMEOUT_MS = 5_000;
/** How long closing waits for the server, in milliseconds. */
const CLOSE_LIMIT_MS = 1_000;
/** First and longest delay before reconnecting. The delay doubles each time. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 10_000;

export type Listener = {
  /** Callers subscribe before they read, and also poll, because notifications can be lost. @returns the function that unsubscribes. */
  subscribe(orderId: string, onChange: () => void): () => void;
  /** @returns the function that unsubscribes. */
  onAnyChange(callback: () => void): () => void;
  close(): Promise<void>;
};

type ListenerOptions = {
  /** Must bypass any pooler, because LISTEN belongs to one session. */
  directUrl: string;
  log: Pick<Logger, "warn" | "error" | "info">;
  checkEveryMs?: number;
  checkTimeoutMs?: number;
};

/** Listens for change notifications. After each (re)connect, everything counts as changed, because notifications may have been missed. */
export function startListener(options: ListenerOptions): Listener {
  const { directUrl, log, checkEveryMs = CHECK_EVERY_MS, checkTimeoutMs = CHECK_TIMEOUT_MS } = options;
  const byOrder = new Map<string, Set<() => void>>();
  const onAnyCallbacks = new Set<() => void>();
  let closing = false;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: NodeJS.Timeout | undefined;
  let current: Session | undefined;

  const call = (callback: () => void): void => {
    try {
      callback();
    } catch (error) {
      log.error({ err: error }, "a subscriber to change notifications failed");
    }
  };
  const notifySubscribers = (orderIds: string[] | null): void => {
    const sets = orderIds === null ? [...byOrder.values()] : orderIds.map((id) => byOrder.get(id));
    for (const set of sets) for (const callback of [...(set ?? [])]) call(callback);
    for (const callback of [...onAnyCallbacks]) call(callback);
  };

  const reconnectAfter = (session: Session, error: Error): void => {
    if (current !== session) return;
    current = undefined;
    session.destroy();
    if (closing) return;
    log.warn(
      { err: error, retryMs },
      "lost the connection for change notifications; polling until it is restored",
    );
    retryTimer = setTimeout(connect, retryMs);
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
  };

  const connect = (): void => {
    const session = openSession(directUrl, checkTimeoutMs);
    current = session;
    session.client.on("error", (error) => reconnectAfter(session, error));
    session.client.on("end", () => reconnectAfter(session, new Error("the connection was closed")));
    session.client.on("notification", ({ payload }) => {
      if (current === session) notifySubscribers(parseNotificationPayload(payload));
    });
    session.listen().then(
      () => {
        if (current !== session) return;
        retryMs = FIRST_RETRY_MS;
        notifySubscribers(null);
        session.watch(checkEveryMs, (error) => reconnectAfter(session, error));
      },
      (error: Error) => reconnectAfter(session, error),
    );
  };
  connect();

  return {
    subscribe(orderId, onChange) {
      const callbacks = byOrder.get(orderId) ?? new Set();
      byOrder.set(orderId, callbacks);
      // Subscribes a new function each time, so that one callback may be subscribed twice.
      const subscribed = () => onChange();
      callbacks.add(subscribed);
      return () => {
        callbacks.delete(subscribed);
        if (callbacks.size === 0 && byOrder.get(orderId) === callbacks) byOrder.delete(orderId);
      };
    },
    onAnyChange(callback) {
      const subscribed = () => callback();
      onAnyCallbacks.add(subscribed);
      return () => onAnyCallbacks.delete(subscribed);
    },
    async close() {
      closing = true;
      clearTimeout(retryTimer);
      const session = current;
      current = undefined;
      await session?.end();
    },
  };
}

type Session = {
  client: pg.Client;
  listen(): Promise<void>;
  /** Checks periodically that the server still responds and still has the subscription. */
  watch(everyMs: number, onFailure: (error: Error) => void): void;
  /** Ends immediately, because a half-open connection would never respond. */
  destroy(): void;
  /** Ends the connection properly, if the server responds. */
  end(): Promise<void>;
};

function openSession(connectionString: string, checkTimeoutMs: number): Session {
  // Provides the socket, because pg's client cannot drop a connection that no longer responds.
  const socket = new net.Socket();
  const client = new pg.Client({
    connectionString,
    stream: () => socket,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: checkTimeoutMs,
    keepAlive: true,
    application_name: "tillgate listener",
  });
  let watching: NodeJS.Timeout | undefined;
  let over = false;
  const stopWatching = (): void => {
    over = true;
    clearTimeout(watching);
  };
  const destroy = (): void => {
    stopWatching();
    socket.destroy();
  };
  const check = async (): Promise<void> => {
    const { rowCount } = await client.query(
      "SELECT FROM pg_listening_channels() AS channel WHERE channel = $1",
      [CHANGES_CHANNEL],
    );
    if (rowCount !== 1)
      throw new Error("LISTEN is no longer active on the server (is a transaction pooler in between?)");
  };
  const watch: Session["watch"] = (everyMs, onFailure) => {
    if (over) return;
    watching = setTimeout(() => {
      check().then(() => watch(everyMs, onFailure), onFailure);
    }, everyMs);
  };
  return {
    client,
    watch,
    destroy,
    async listen() {
      await client.connect();
      await client.query(`LISTEN ${CHANGES_CHANNEL}`);
    },
    async end() {
      stopWatching();
      const timer = setTimeout(destroy, CLOSE_LIMIT_MS);
      try {
        await client.end();
      } finally {
        clearTimeout(timer);
        destroy();
      }
    },
  };
}
