import { STREAM_ALIVE_EVENT, STREAM_SILENT_MS } from "@tillgate/contract/live-stream";
import type { Connection } from "./page";
import { fetchWithin } from "./polling";

/** Polling interval while the live stream does not get through. */
const POLL_MS = 3000;
/** Time limit of one poll. */
const ANSWER_MS = 4000;
/** The browser reconnects a broken stream after two seconds; poll only after this delay. */
const FIRST_ASK_MS = 1000;
/** Jitter, so that not all pages poll at the same moment when a server goes down. */
const SPREAD_MS = 1000;

export type StatusListener = {
  /** The order's state differs from the page's. */
  changed(): void;
  /** Milliseconds until the order expires, by the server's clock. */
  timeLeft(milliseconds: number): void;
  connection(connection: Connection): void;
};

export type StatusWatch = {
  /** Requests the status now. @returns undefined without a response. */
  ask(): Promise<string | undefined>;
  end(): void;
};

type Status = {
  status: string;
  version: number;
  expires_in_ms: number;
};

/**
 * Follows the order of `main` by server-sent events, and by polling while those do not get through. A stream that stays silent
 * too long is closed and reopened.
 */
export function watchStatus(main: HTMLElement, listener: StatusListener): StatusWatch {
  const { token, orderStatus, version } = main.dataset;
  const address = `/pay/${token}`;
  let stream: EventSource | undefined;
  let polling: ReturnType<typeof setInterval> | undefined;
  let firstAsk: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Date.now();
  let asking = false;
  let ended = false;
  let known: Connection = "good";

  const say = (connection: Connection) => {
    if (ended || connection === known) return;
    known = connection;
    listener.connection(connection);
  };
  const hear = (status: Status) => {
    if (ended) return;
    const other = status.status !== orderStatus;
    // A payable page is kept because the shopper may be typing. A receipt is refreshed for each refund.
    if (other || (orderStatus !== "PENDING" && String(status.version) !== version)) listener.changed();
    else listener.timeLeft(status.expires_in_ms);
  };
  const ask = async (): Promise<string | undefined> => {
    if (asking || ended) return undefined;
    asking = true;
    try {
      const { response, text } = await fetchWithin(ANSWER_MS, `${address}/status`);
      if (ended) return undefined;
      if (response.status === 404) listener.changed();
      else if (!response.ok) say("unavailable");
      else {
        const back = known !== "good";
        say("good");
        const status = JSON.parse(text) as Status;
        hear(status);
        if (back && stream?.readyState === EventSource.CLOSED) connect();
        return status.status;
      }
      return undefined;
    } catch {
      say(navigator.onLine ? "lost" : "offline");
      return undefined;
    } finally {
      asking = false;
    }
  };
  const rest = () => {
    clearInterval(polling);
    clearTimeout(firstAsk);
    polling = undefined;
    firstAsk = undefined;
  };
  const keepAsking = () => {
    polling ??= setInterval(ask, POLL_MS);
  };
  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      connect();
      void ask();
    }, STREAM_SILENT_MS);
  };
  /** Called for each stream message. While the browser is offline, buffered messages prove nothing and polling decides. */
  const alive = () => {
    if (ended) return;
    heardAt = Date.now();
    watch();
    if (!navigator.onLine) return keepAsking();
    rest();
    say("good");
  };
  function connect(): void {
    if (ended) return;
    stream?.close();
    stream = new EventSource(`${address}/events`);
    stream.onerror = () => {
      firstAsk ??= setTimeout(ask, FIRST_ASK_MS + Math.random() * SPREAD_MS);
      keepAsking();
    };
    stream.addEventListener(STREAM_ALIVE_EVENT, alive);
    stream.addEventListener("status", (event) => {
      alive();
      hear(JSON.parse(event.data) as Status);
    });
    keepAsking();
    watch();
  }
  const look = () => {
    // After sleep or throttled timers, check as soon as the page is visible.
    if (document.visibilityState !== "visible") return;
    const silent = Date.now() - heardAt > STREAM_SILENT_MS;
    if (silent || stream?.readyState === EventSource.CLOSED) connect();
    void ask();
  };
  const online = () => {
    connect();
    void ask();
  };
  const offline = () => say("offline");
  document.addEventListener("visibilitychange", look);
  addEventListener("online", online);
  addEventListener("offline", offline);
  connect();
  if (!navigator.onLine) offline();

  return {
    ask,
    end: () => {
      ended = true;
      stream?.close();
      rest();
      clearTimeout(watchdog);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("online", online);
      removeEventListener("offline", offline);
    },
  };
}
