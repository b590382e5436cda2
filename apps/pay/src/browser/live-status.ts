import { STREAM_ALIVE_EVENT, STREAM_SILENT_MS } from "@tillgate/contract/live-stream";
import type { Connection } from "./page";
import { fetchWithin } from "./polling";

const POLL_MS = 3000;
const POLL_TIMEOUT_MS = 4000;
const FIRST_POLL_DELAY_MS = 1000;
/** Jitter, so that not all pages poll at the same moment when a server goes down. */
const MAX_JITTER_MS = 1000;

export type StatusListener = {
  /** Called when the order's state differs from the page's, or the order is no longer found. */
  changed(): void;
  /** Milliseconds until the order expires, by the server's clock. */
  timeLeft(milliseconds: number): void;
  connection(connection: Connection): void;
};

export type StatusWatch = {
  /** Requests the status now. @returns the order's status; undefined if the request fails or another request is running */
  check(): Promise<string | undefined>;
  end(): void;
};

type Status = {
  status: string;
  version: number;
  expires_in_ms: number;
};

/** Watches an order through server-sent events, or by polling while no events arrive. Reconnects a stream that is silent for too long. */
export function watchStatus(main: HTMLElement, listener: StatusListener): StatusWatch {
  const { token, orderStatus, version } = main.dataset;
  const address = `/pay/${token}`;
  let stream: EventSource | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let firstPoll: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let lastMessageAt = Date.now();
  let isPolling = false;
  let ended = false;
  let reported: Connection = "good";

  const report = (connection: Connection) => {
    if (ended || connection === reported) return;
    reported = connection;
    listener.connection(connection);
  };
  const handleStatus = (status: Status) => {
    if (ended) return;
    const statusChanged = status.status !== orderStatus;
    // While the order stays payable, the page is not replaced, because the shopper may be typing. A receipt is refreshed for each refund.
    if (statusChanged || (orderStatus !== "PENDING" && String(status.version) !== version))
      listener.changed();
    else listener.timeLeft(status.expires_in_ms);
  };
  const poll = async (): Promise<string | undefined> => {
    if (isPolling || ended) return undefined;
    isPolling = true;
    try {
      const { response, text } = await fetchWithin(POLL_TIMEOUT_MS, `${address}/status`);
      if (ended) return undefined;
      if (response.status === 404) listener.changed();
      else if (!response.ok) report("unavailable");
      else {
        const reconnected = reported !== "good";
        report("good");
        const status = JSON.parse(text) as Status;
        handleStatus(status);
        if (reconnected && stream?.readyState === EventSource.CLOSED) connect();
        return status.status;
      }
      return undefined;
    } catch {
      report(navigator.onLine ? "lost" : "offline");
      return undefined;
    } finally {
      isPolling = false;
    }
  };
  const stopPolling = () => {
    clearInterval(polling);
    clearTimeout(firstPoll);
    polling = undefined;
    firstPoll = undefined;
  };
  const startPolling = () => {
    polling ??= setInterval(poll, POLL_MS);
  };
  const restartWatchdog = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      connect();
      void poll();
    }, STREAM_SILENT_MS);
  };
  /** Called for each stream message. While the browser is offline, buffered messages prove nothing, so the page polls. */
  const onMessage = () => {
    if (ended) return;
    lastMessageAt = Date.now();
    restartWatchdog();
    if (!navigator.onLine) return startPolling();
    stopPolling();
    report("good");
  };
  function connect(): void {
    if (ended) return;
    stream?.close();
    stream = new EventSource(`${address}/events`);
    stream.onerror = () => {
      firstPoll ??= setTimeout(poll, FIRST_POLL_DELAY_MS + Math.random() * MAX_JITTER_MS);
      startPolling();
    };
    stream.addEventListener(STREAM_ALIVE_EVENT, onMessage);
    stream.addEventListener("status", (event) => {
      onMessage();
      handleStatus(JSON.parse(event.data) as Status);
    });
    startPolling();
    restartWatchdog();
  }
  const checkIfVisible = () => {
    // After sleep or throttled timers, check as soon as the page is visible.
    if (document.visibilityState !== "visible") return;
    const silent = Date.now() - lastMessageAt > STREAM_SILENT_MS;
    if (silent || stream?.readyState === EventSource.CLOSED) connect();
    void poll();
  };
  const onOnline = () => {
    connect();
    void poll();
  };
  const onOffline = () => report("offline");
  document.addEventListener("visibilitychange", checkIfVisible);
  addEventListener("online", onOnline);
  addEventListener("offline", onOffline);
  connect();
  if (!navigator.onLine) onOffline();

  return {
    check: poll,
    end: () => {
      ended = true;
      stream?.close();
      stopPolling();
      clearTimeout(watchdog);
      document.removeEventListener("visibilitychange", checkIfVisible);
      removeEventListener("online", onOnline);
      removeEventListener("offline", onOffline);
    },
  };
}
